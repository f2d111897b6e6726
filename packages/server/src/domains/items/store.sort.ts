import { sql, type Sql } from '../../platform/database/sql.ts'
import { jsonOf, knownColumns, textOf } from './store.properties.ts'

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

const types = { number: sql`float8`, time: sql`timestamptz`, text: sql`text` } as const

const newest: SortTerm = { value: sql`i.covers_from`, type: types.time, direction: 'desc', nullable: false }

/** Expressions for sorting by datetime: the item's datetime, else the start of its interval. */
export const datetimes = {
  /** For any item. */
  any: sql`coalesce(i.datetime, i.covers_from)`,
  /** For items that are not `dated`: in the indexes of visible items. */
  begun: sql`i.covers_from`,
  /** For `dated` items: in separate indexes. */
  dated: sql`i.datetime`,
} as const

/**
 * The terms of a sort order, without the final id; newest first without a key.
 *
 * @param datetime one of `datetimeExpressions`.
 */
export const sortTerms = (keys: readonly SortKey[], datetime: Sql = datetimes.any): SortTerm[] =>
  keys.length === 0 ? [newest] : keys.flatMap((key) => termsOf(key, datetime))

/** A column is one sort term; a member of `properties` is sorted by JSON type (numbers, then text), then by value. */
function termsOf({ property, direction }: SortKey, datetime: Sql): SortTerm[] {
  if (property === 'datetime') return [{ value: datetime, type: types.time, direction, nullable: false }]
  const known = knownColumns.get(property)
  if (known) {
    const value = known.kind === 'text' ? sql`(${known.value}) collate "C"` : known.value
    return [{ value, type: types[known.kind], direction, nullable: true }]
  }
  const json = jsonOf(property)
  const rank = sql`
    case jsonb_typeof(${json}) when 'number' then 0 when 'string' then 1 when 'boolean' then 2 when 'array' then 3
                               when 'object' then 4 else 5 end`
  const number = sql`case when jsonb_typeof(${json}) = 'number' then (${json})::numeric end`
  return [
    { value: rank, type: sql`int4`, direction: 'asc', nullable: false },
    { value: number, type: sql`numeric`, direction, nullable: true },
    { value: textOf(property), type: types.text, direction, nullable: true },
  ]
}

/** The expressions of the terms, in a query that names the table `i`. */
export const expressionsOf = (terms: readonly SortTerm[]): Sql[] => terms.map(({ value }) => value)

const sortNames = Array.from({ length: 30 }, (_, index) => `s${index}`)

/** References to the sort columns of a table named `p`. */
export const aliasesOf = (terms: readonly SortTerm[]): Sql[] =>
  terms.map((_, index) => sql`p.${sql.identifier(`s${index}`, sortNames)}`)

/** The terms as named columns of a query. */
export const termColumns = (terms: readonly SortTerm[]): Sql =>
  sql.join(terms.map(({ value }, index) => sql`${value} as ${sql.identifier(`s${index}`, sortNames)}`))

/** The sort columns of a table named `p` as text. */
export const termTexts = (terms: readonly SortTerm[]): Sql =>
  sql.join(aliasesOf(terms).map((alias, index) => sql`${alias}::text as ${sql.identifier(`s${index}`, sortNames)}`))

/** The ORDER BY list of the terms, as the expressions `values`, followed by the id. */
export const orderOf = (terms: readonly SortTerm[], values: readonly Sql[], id: Sql): Sql =>
  sql.join([
    ...terms.map(
      ({ direction, nullable }, index) =>
        sql`${values[index]} ${direction === 'asc' ? sql`asc` : sql`desc`}${nullable ? sql` nulls last` : sql.empty}`,
    ),
    id,
  ])

/** Keyset pagination cursor: the sort values of the last row of a page, as text, and its id. */
export interface Boundary {
  readonly values: readonly (string | null)[]
  readonly id: string
}

/** The cursor of a row with `sortTermsAsText`. */
export const boundaryAt = (terms: readonly SortTerm[], row: { readonly id: string }): Boundary => ({
  values: terms.map((_, index) => (row as Readonly<Record<string, string | null>>)[`s${index}`] ?? null),
  id: row.id,
})

/** The condition of rows after the cursor in the sort order. */
export function afterCondition(terms: readonly SortTerm[], values: readonly Sql[], id: Sql, boundary: Boundary): Sql {
  const [first] = terms
  const from = (index: number): Sql => {
    const term = terms[index]
    const value = values[index]
    if (!term || !value) return sql`${id} > ${boundary.id}::uuid`
    const bound = boundary.values[index] ?? null
    if (bound === null) return sql`(${value} is null and ${from(index + 1)})`
    const typed = sql`${bound}::${term.type}`
    const beyond = term.direction === 'asc' ? sql`${value} > ${typed}` : sql`${value} < ${typed}`
    const absent = term.nullable ? sql` or ${value} is null` : sql.empty
    return sql`(${beyond}${absent} or (${value} = ${typed} and ${from(index + 1)}))`
  }
  if (!first || first.nullable) return from(0)
  // A redundant condition on the first term, which the index can use as a range.
  const edge = sql`${boundary.values[0] ?? null}::${first.type}`
  return sql`${values[0]} ${first.direction === 'asc' ? sql`>=` : sql`<=`} ${edge} and ${from(0)}`
}
