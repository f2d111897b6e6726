import type { TSchema } from 'typebox'
import { absentMemberMarker, rejectsNullMemberMarker } from '@swath/contract/schemas/primitives.ts'
import {
  compileSchemaTransform,
  isPlainObject,
  type SchemaTransform,
  type ObjectMembers,
  type JsonObjectTransform,
} from './schema-transform.ts'

interface SchemaKeywords {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
}

/** True if a schema does not accept null; an unknown or free-form schema accepts it. */
function refusesNull(schema: TSchema): boolean {
  const { type, const: constant, enum: enumValues, anyOf, allOf } = schema as SchemaKeywords
  if (anyOf) return anyOf.every(refusesNull)
  if (allOf) return allOf.some(refusesNull)
  if (enumValues) return !enumValues.includes(null)
  return type === undefined ? constant !== undefined && constant !== null : type !== 'null'
}

/** True if a schema is marked to accept an empty object in place of an absent value. */
const acceptsEmptyAsAbsent = (schema: TSchema): boolean =>
  ((schema as SchemaKeywords).anyOf ?? []).some((inner) => absentMemberMarker in inner)

const isEmpty = (value: unknown): boolean => isPlainObject(value) && Object.keys(value).length === 0

/**
 * Compiles a transform that drops empty optional members: typed clients send null for an absent member, and `{}` for an
 * absent collection of areas. Null stays in a nullable member, where it has a meaning, and in a required one, which then
 * fails validation.
 */
export const compileDropAbsentMembers = (schema: TSchema): SchemaTransform =>
  compileSchemaTransform(schema, compileObjectTransform)

function compileObjectTransform({ properties, required }: ObjectMembers): JsonObjectTransform {
  const optional = Object.entries(properties).filter(([name]) => !required.includes(name))
  const namesOf = (is: (member: TSchema) => boolean): string[] =>
    optional.flatMap(([name, member]) => (is(member) ? [name] : []))
  const nonNullable = namesOf((member) => refusesNull(member) && !(rejectsNullMemberMarker in member))
  const emptyMeansAbsent = namesOf(acceptsEmptyAsAbsent)
  if (nonNullable.length + emptyMeansAbsent.length === 0) return null
  return (members) => {
    for (const name of nonNullable) if (members[name] === null) delete members[name]
    for (const name of emptyMeansAbsent) if (isEmpty(members[name])) delete members[name]
  }
}
