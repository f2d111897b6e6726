import { sql, type Sql } from '../../../platform/database/sql.ts'
import { propertyJsonSql, propertyColumns, propertyAsTextSql } from './store.properties.ts'

export interface SortKey {
  readonly property: string
  readonly direction: 'asc' | 'desc'
}

/** One expression of a sort order. Nulls come last in both directions. */
export interface SortTerm {
  readonly value: Sql
  readonly type: Sql
  readonly direction: 'asc' | 'desc'
  readonly nullable: boolean
}

const sortTypes = { number: sql`float8`, time: sql`timestamptz`, text: sql`text` } as const

const newestFirstTerm: SortTerm = {
  value: sql`i.covers_from`,
  type: sortTypes.time,
  direction: 'desc',
  nullable: false,
}

/** Expressions for sorting by datetime: the item's datetime, else the start of its interval. */
export const datetimeSortExpressions = {
  /** The sort time of any item. */
  any: sql`coalesce(i.datetime, i.covers_from)`,
  /** The sort time of items that are not `dated`: in the indexes of visible items. */
  undated: sql`i.covers_from`,
  /** The sort time of `dated` items: in separate indexes. */
  dated: sql`i.datetime`,
} as const

/**
 * The terms of a sort order, without the final id; newest first without a key.
 *
 * @param datetime one of `datetimeSortExpressions`.
 */
export const buildSortTerms = (keys: readonly SortKey[], datetime: Sql = datetimeSortExpressions.any): SortTerm[] =>
  keys.length === 0 ? [newestFirstTerm] : keys.flatMap((key) => sortTermsOfKey(key, datetime))

/** A column is one sort term; a member of `properties` is sorted by JSON type (numbers, then text), then by value. */
function sortTermsOfKey({ property, direction }: SortKey, datetime: Sql): SortTerm[] {
  if (property === 'datetime') return [{ value: datetime, type: sortTypes.time, direction, nullable: false }]
  const column = propertyColumns.get(property)
  if (column) {
    const value = column.kind === 'text' ? sql`(${column.value}) collate "C"` : column.value
    return [{ value, type: sortTypes[column.kind], direction, nullable: true }]
  }
  const json = propertyJsonSql(property)
  const rank = sql`
    case jsonb_typeof(${json}) when 'number' then 0 when 'string' then 1 when 'boolean' then 2 when 'array' then 3
                               when 'object' then 4 else 5 end`
  const number = sql`case when jsonb_typeof(${json}) = 'number' then (${json})::numeric end`
  return [
    { value: rank, type: sql`int4`, direction: 'asc', nullable: false },
    { value: number, type: sql`numeric`, direction, nullable: true },
    { value: propertyAsTextSql(property), type: sortTypes.text, direction, nullable: true },
  ]
}

/** The expressions of the terms, in a query that names the table `i`. */
export const buildSortExpressions = (terms: readonly SortTerm[]): Sql[] => terms.map(({ value }) => value)

const sortNames = Array.from({ length: 30 }, (_, index) => `s${index}`)

/** References to the sort columns of a table named `p`. */
export const buildSortColumnReferences = (terms: readonly SortTerm[]): Sql[] =>
  terms.map((_, index) => sql`p.${sql.identifier(`s${index}`, sortNames)}`)

/** The terms as named columns of a query. */
export const buildSortTermColumns = (terms: readonly SortTerm[]): Sql =>
  sql.join(terms.map(({ value }, index) => sql`${value} as ${sql.identifier(`s${index}`, sortNames)}`))

/** The sort columns of a table named `p` as text. */
export const buildSortColumnTexts = (terms: readonly SortTerm[]): Sql =>
  sql.join(
    buildSortColumnReferences(terms).map(
      (alias, index) => sql`${alias}::text as ${sql.identifier(`s${index}`, sortNames)}`,
    ),
  )

/** The ORDER BY list of the terms, as the expressions `values`, followed by the id. */
export const buildOrderByList = (terms: readonly SortTerm[], values: readonly Sql[], id: Sql): Sql =>
  sql.join([
    ...terms.map(
      ({ direction, nullable }, index) =>
        sql`${values[index]} ${direction === 'asc' ? sql`asc` : sql`desc`}${nullable ? sql` nulls last` : sql.empty}`,
    ),
    id,
  ])

/** Keyset pagination cursor: the sort values of the last row of a page, as text, and its id. */
export interface SortCursor {
  readonly values: readonly (string | null)[]
  readonly id: string
}

/** The cursor of a row with `buildSortColumnTexts`. */
export const toSortCursor = (terms: readonly SortTerm[], row: { readonly id: string }): SortCursor => ({
  values: terms.map((_, index) => (row as Readonly<Record<string, string | null>>)[`s${index}`] ?? null),
  id: row.id,
})

/** The condition of rows after the cursor in the sort order. */
export function afterCursorCondition(
  terms: readonly SortTerm[],
  values: readonly Sql[],
  id: Sql,
  cursor: SortCursor,
): Sql {
  const [first] = terms
  const from = (index: number): Sql => {
    const term = terms[index]
    const value = values[index]
    if (!term || !value) return sql`${id} > ${cursor.id}::uuid`
    const bound = cursor.values[index] ?? null
    if (bound === null) return sql`(${value} is null and ${from(index + 1)})`
    const typed = sql`${bound}::${term.type}`
    const isBeyond = term.direction === 'asc' ? sql`${value} > ${typed}` : sql`${value} < ${typed}`
    const orNull = term.nullable ? sql` or ${value} is null` : sql.empty
    return sql`(${isBeyond}${orNull} or (${value} = ${typed} and ${from(index + 1)}))`
  }
  if (!first || first.nullable) return from(0)
  // A redundant condition on the first term, which the index can use as a range.
  const firstBound = sql`${cursor.values[0] ?? null}::${first.type}`
  return sql`${values[0]} ${first.direction === 'asc' ? sql`>=` : sql`<=`} ${firstBound} and ${from(0)}`
}
