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

/** True for a schema that says what it takes, none of which is null: an unknown or open one takes it. */
function refusesNull(schema: TSchema): boolean {
  const { type, const: only, enum: choices, anyOf, allOf } = schema as Shape
  if (anyOf) return anyOf.every(refusesNull)
  if (allOf) return allOf.some(refusesNull)
  if (choices) return !choices.includes(null)
  return type === undefined ? only !== undefined && only !== null : type !== 'null'
}

/** True for a schema that says of an object without members that it stands for none. */
const takesEmptyForAbsent = (schema: TSchema): boolean =>
  ((schema as Shape).anyOf ?? []).some((inner) => absentMark in inner)

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0

/**
 * Drops the optional members of an input that stand for nothing: typed clients write null for what is not given, and `{}`
 * for a collection of areas. A member that takes null keeps it, since null means something there; a required one keeps
 * it and is refused. Compiled once per schema.
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
