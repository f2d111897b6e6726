import type { TSchema } from 'typebox'
import { absentMark, nullRefusedMark } from '@swath/contract/shapes/primitives.ts'
import { editMembersOf, isRecord, type Edit, type MemberSchemas, type ObjectEdit } from './edit-members.ts'

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
}

/** True if a schema does not accept null; an unknown or free-form schema accepts it. */
function refusesNull(schema: TSchema): boolean {
  const { type, const: only, enum: choices, anyOf, allOf } = schema as Shape
  if (anyOf) return anyOf.every(refusesNull)
  if (allOf) return allOf.some(refusesNull)
  if (choices) return !choices.includes(null)
  return type === undefined ? only !== undefined && only !== null : type !== 'null'
}

/** True if a schema is marked to accept an empty object in place of an absent value. */
const takesEmptyForAbsent = (schema: TSchema): boolean =>
  ((schema as Shape).anyOf ?? []).some((inner) => absentMark in inner)

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0

/**
 * Compiles a transform that drops empty optional members: typed clients send null for an absent member, and `{}` for an
 * absent collection of areas. Null stays in a nullable member, where it has a meaning, and in a required one, which then
 * fails validation.
 */
export const dropAbsentOf = (schema: TSchema): Edit => editMembersOf(schema, dropOf)

function dropOf({ properties, required }: MemberSchemas): ObjectEdit {
  const optional = Object.entries(properties).filter(([name]) => !required.includes(name))
  const namesOf = (is: (member: TSchema) => boolean): string[] =>
    optional.flatMap(([name, member]) => (is(member) ? [name] : []))
  const notNull = namesOf((member) => refusesNull(member) && !(nullRefusedMark in member))
  const notEmpty = namesOf(takesEmptyForAbsent)
  if (notNull.length + notEmpty.length === 0) return null
  return (members) => {
    for (const name of notNull) if (members[name] === null) delete members[name]
    for (const name of notEmpty) if (isEmpty(members[name])) delete members[name]
  }
}
