import type { TSchema } from 'typebox'
import { absentMark, nullRefusedMark } from '@swath/contract/shapes/primitives.ts'

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/** Writes into the value that it is given; null for a schema in which nothing is dropped. */
export type DropAbsent = ((value: unknown) => void) | null

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
export function dropAbsentOf(schema: TSchema): DropAbsent {
  const { anyOf, items, properties, required = [], patternProperties } = schema as Shape
  if (anyOf) {
    // Which of several objects is meant is not known before the check.
    const inner = anyOf.map(dropAbsentOf).filter((drop) => drop !== null)
    return inner.length === 1 ? inner[0]! : null
  }
  if (items) return dropInAll(dropAbsentOf(items))
  if (patternProperties) {
    const drop = Object.values(patternProperties).map(dropAbsentOf)
    return drop.length === 1 ? dropInAll(drop[0]!) : null
  }
  const members = Object.entries(properties ?? {})
  const optional = members.filter(([name]) => !required.includes(name))
  const notNull = optional.flatMap(([name, inner]) => (refusesNull(inner) && !(nullRefusedMark in inner) ? [name] : []))
  const notEmpty = optional.flatMap(([name, inner]) => (takesEmptyForAbsent(inner) ? [name] : []))
  const deep = members.flatMap(([name, inner]) => {
    const drop = dropAbsentOf(inner)
    return drop ? [[name, drop] as const] : []
  })
  if (notNull.length + notEmpty.length + deep.length === 0) return null
  return (value) => {
    if (!isRecord(value)) return
    for (const name of notNull) if (value[name] === null) delete value[name]
    for (const name of notEmpty) if (isEmpty(value[name])) delete value[name]
    for (const [name, drop] of deep) if (value[name] !== undefined) drop(value[name])
  }
}

const dropInAll = (drop: DropAbsent): DropAbsent =>
  drop && ((value) => (typeof value === 'object' && value !== null ? Object.values(value).forEach(drop) : undefined))
