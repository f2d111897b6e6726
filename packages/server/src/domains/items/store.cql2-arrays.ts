import { sql, type Sql } from '../../platform/database/sql.ts'
import type { ArrayOperator, List, Value } from './cql2/tree.ts'
import { arrayIn, isMember, jsonOfValue } from './store.cql2-values.ts'

type Element = Value | List

const isPlain = (element: Element): boolean => ['text', 'number', 'boolean', 'instant'].includes(element.is)

/** A list of literals as JSON; undefined if it refers to a property. */
function constant(element: Element): unknown {
  if (element.is === 'text' || element.is === 'number' || element.is === 'boolean') return element.value
  if (element.is === 'instant') return element.value.toISOString()
  return element.is === 'list' && element.members.every(isConstant) ? element.members.map(constant) : undefined
}

const isConstant = (element: Element): boolean => constant(element) !== undefined

/** Absent properties become JSON null. */
function jsonOfElement(element: Element): Sql {
  if (isConstant(element)) return sql`${sql.json(constant(element))}::jsonb`
  if (element.is !== 'list') return sql`coalesce(${jsonOfValue(element)}, 'null'::jsonb)`
  const parts = chunksOf(element.members, max_arguments)
  return sql`(${sql.join(
    parts.map((part) => sql`jsonb_build_array(${sql.join(part.map(jsonOfElement))})`),
    sql` || `,
  )})`
}

/** PostgreSQL functions take at most 100 arguments. */
const max_arguments = 100

const chunksOf = <T>(list: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

const jsonOfList = (list: List): Sql => (list.is === 'property' ? arrayIn(list) : jsonOfElement(list))

const elements = (list: Sql): Sql => sql`select jsonb_array_elements(${list})`

/** jsonb containment compares every pair of elements, so longer lists are compared as sets. */
const max_compared = 50

/** A list for which jsonb containment equals set containment: it is short and has no nested arrays. */
const isShort = (list: List): list is Extract<List, { is: 'list' }> =>
  list.is === 'list' && list.members.length <= max_compared && list.members.every(isPlain)

/** True if the first set contains every element of the second. */
function contains(whole: List, part: List): Sql {
  // Can use a GIN index.
  if (isShort(part)) return sql`(${jsonOfList(whole)} @> ${jsonOfList(part)})`
  return sql`(not exists (${elements(jsonOfList(part))} except ${elements(jsonOfList(whole))}))`
}

const overlaps = (left: List, right: List): Sql =>
  sql`(exists (${elements(jsonOfList(left))} intersect ${elements(jsonOfList(right))}))`

const relations: Readonly<Record<ArrayOperator, (left: List, right: List) => Sql>> = {
  a_contains: contains,
  a_containedBy: (left, right) => contains(right, left),
  a_equals: (left, right) => sql`(${contains(left, right)} and ${contains(right, left)})`,
  a_overlaps: overlaps,
}

/** The part of a condition that the index on `properties` can use; null if there is none. */
function indexed(operator: ArrayOperator, left: List, right: List): Sql | null {
  const [whole, part] = operator === 'a_containedBy' ? [right, left] : [left, right]
  if (operator === 'a_overlaps' || !isMember(whole) || !isShort(part)) return null
  return sql`i.properties @> ${sql.json({ [whole.name]: constant(part) })}::jsonb`
}

/**
 * A relation between two sets, ignoring order and duplicates. Unknown if a property is not an array. `isTopLevel`: false
 * may stand for unknown, so an index can be used.
 */
export function arrayCondition(operator: ArrayOperator, left: List, right: List, sure: boolean): Sql {
  const known = [left, right]
    .filter((list) => list.is === 'property')
    .map((list) => sql`${jsonOfList(list)} is not null`)
  const relation = relations[operator](left, right)
  const guarded = known.length === 0 ? relation : sql`(case when ${sql.join(known, sql` and `)} then ${relation} end)`
  const quick = sure ? indexed(operator, left, right) : null
  return quick ? sql`(${quick} and ${guarded})` : guarded
}
