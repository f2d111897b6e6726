import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { ArrayOperator, ListOperand, ScalarExpression } from './cql2/ast.ts'
import { arrayJsonSql, isPropertiesMember, valueJsonSql } from './store.cql2-to-sql-values.ts'

type ListElement = ScalarExpression | ListOperand

const isLiteralElement = (element: ListElement): boolean =>
  ['text', 'number', 'boolean', 'instant'].includes(element.is)

/** A list of literals as JSON; undefined if it refers to a property. */
function constantJson(element: ListElement): unknown {
  if (element.is === 'text' || element.is === 'number' || element.is === 'boolean') return element.value
  if (element.is === 'instant') return element.value.toISOString()
  return element.is === 'list' && element.members.every(isConstant) ? element.members.map(constantJson) : undefined
}

const isConstant = (element: ListElement): boolean => constantJson(element) !== undefined

/** Absent properties become JSON null. */
function elementJson(element: ListElement): Sql {
  if (isConstant(element)) return sql`${sql.json(constantJson(element))}::jsonb`
  if (element.is !== 'list') return sql`coalesce(${valueJsonSql(element)}, 'null'::jsonb)`
  const parts = splitChunks(element.members, max_arguments)
  return sql`(${sql.join(
    parts.map((contained) => sql`jsonb_build_array(${sql.join(contained.map(elementJson))})`),
    sql` || `,
  )})`
}

/** PostgreSQL functions take at most 100 arguments. */
const max_arguments = 100

const splitChunks = <T>(list: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

const listJson = (list: ListOperand): Sql => (list.is === 'property' ? arrayJsonSql(list) : elementJson(list))

const elementsQuery = (list: Sql): Sql => sql`select jsonb_array_elements(${list})`

/** jsonb containment compares every pair of elements, so longer lists are compared as sets. */
const max_compared = 50

/** A list for which jsonb containment equals set containment: it is short and has no nested arrays. */
const isShortList = (list: ListOperand): list is Extract<ListOperand, { is: 'list' }> =>
  list.is === 'list' && list.members.length <= max_compared && list.members.every(isLiteralElement)

/** True if the first set contains every element of the second. */
function contains(container: ListOperand, contained: ListOperand): Sql {
  // Can use a GIN index.
  if (isShortList(contained)) return sql`(${listJson(container)} @> ${listJson(contained)})`
  return sql`(not exists (${elementsQuery(listJson(contained))} except ${elementsQuery(listJson(container))}))`
}

const overlaps = (left: ListOperand, right: ListOperand): Sql =>
  sql`(exists (${elementsQuery(listJson(left))} intersect ${elementsQuery(listJson(right))}))`

const relationSql: Readonly<Record<ArrayOperator, (left: ListOperand, right: ListOperand) => Sql>> = {
  a_contains: contains,
  a_containedBy: (left, right) => contains(right, left),
  a_equals: (left, right) => sql`(${contains(left, right)} and ${contains(right, left)})`,
  a_overlaps: overlaps,
}

/** The part of a condition that the index on `properties` can use; null if there is none. */
function indexCondition(operator: ArrayOperator, left: ListOperand, right: ListOperand): Sql | null {
  const [container, contained] = operator === 'a_containedBy' ? [right, left] : [left, right]
  if (operator === 'a_overlaps' || !isPropertiesMember(container) || !isShortList(contained)) return null
  return sql`i.properties @> ${sql.json({ [container.name]: constantJson(contained) })}::jsonb`
}

/**
 * A relation between two sets, ignoring order and duplicates. Unknown if a property is not an array. `isTopLevel`: false
 * may stand for unknown, so an index can be used.
 */
export function arrayRelationCondition(
  operator: ArrayOperator,
  left: ListOperand,
  right: ListOperand,
  isTopLevel: boolean,
): Sql {
  const notNullConditions = [left, right]
    .filter((list) => list.is === 'property')
    .map((list) => sql`${listJson(list)} is not null`)
  const relation = relationSql[operator](left, right)
  const nullSafeRelation =
    notNullConditions.length === 0
      ? relation
      : sql`(case when ${sql.join(notNullConditions, sql` and `)} then ${relation} end)`
  const indexable = isTopLevel ? indexCondition(operator, left, right) : null
  return indexable ? sql`(${indexable} and ${nullSafeRelation})` : nullSafeRelation
}
