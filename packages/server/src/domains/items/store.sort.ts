import { sql, type Sql } from '../../platform/database/sql.ts'
import { jsonOf, knownColumns, textOf } from './store.properties.ts'

export interface SortKey {
  readonly property: string
  readonly direction: 'asc' | 'desc'
}

/** One expression of an order. What is null comes last, whatever the direction. */
export interface SortTerm {
  readonly value: Sql
  readonly type: Sql
  readonly direction: 'asc' | 'desc'
  readonly nullable: boolean
}

const types = { number: sql`float8`, time: sql`timestamptz`, text: sql`text` } as const

const newest: SortTerm = { value: sql`i.covers_from`, type: types.time, direction: 'desc', nullable: false }

/** What an item is sorted by whose order by time is asked for: its time, else the beginning of its span. */
export const datetimes = {
  /** Of any item. */
  any: sql`coalesce(i.datetime, i.covers_from)`,
  /** Of those that are not `dated`: the indexes of what is found have it. */
  begun: sql`i.covers_from`,
  /** Of those that are: they have indexes of their own. */
  dated: sql`i.datetime`,
} as const

/**
 * The terms of an order, without the id that ends every one of them; newest first without a key.
 *
 * @param datetime one of `datetimes`.
 */
export const sortTerms = (keys: readonly SortKey[], datetime: Sql = datetimes.any): SortTerm[] =>
  keys.length === 0 ? [newest] : keys.flatMap((key) => termsOf(key, datetime))

/** A column sorts by itself; a member of `properties` by its kind (numbers, then text), then within it. */
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

/** The expressions that the terms stand for, in a query that names the table `i`. */
export const expressionsOf = (terms: readonly SortTerm[]): Sql[] => terms.map(({ value }) => value)

const sortNames = Array.from({ length: 30 }, (_, index) => `s${index}`)

/** The columns under which a query hands the terms on, of a table named `p`. */
export const aliasesOf = (terms: readonly SortTerm[]): Sql[] =>
  terms.map((_, index) => sql`p.${sql.identifier(`s${index}`, sortNames)}`)

/** The terms as columns of a query, each under its own name. */
export const termColumns = (terms: readonly SortTerm[]): Sql =>
  sql.join(terms.map(({ value }, index) => sql`${value} as ${sql.identifier(`s${index}`, sortNames)}`))

/** What `termColumns` has handed on as text, each under its own name, of a table named `p`. */
export const termTexts = (terms: readonly SortTerm[]): Sql =>
  sql.join(aliasesOf(terms).map((alias, index) => sql`${alias}::text as ${sql.identifier(`s${index}`, sortNames)}`))

/** The order of the terms, each written as one of `values`, and of the id at the end. */
export const orderOf = (terms: readonly SortTerm[], values: readonly Sql[], id: Sql): Sql =>
  sql.join([
    ...terms.map(
      ({ direction, nullable }, index) =>
        sql`${values[index]} ${direction === 'asc' ? sql`asc` : sql`desc`}${nullable ? sql` nulls last` : sql.empty}`,
    ),
    id,
  ])

/** The values of the terms in the last row of a page, as text, and its id. */
export interface Boundary {
  readonly values: readonly (string | null)[]
  readonly id: string
}

/** Where a row with `termTexts` stands in the order. */
export const boundaryAt = (terms: readonly SortTerm[], row: { readonly id: string }): Boundary => ({
  values: terms.map((_, index) => (row as Readonly<Record<string, string | null>>)[`s${index}`] ?? null),
  id: row.id,
})

/** What lies after the boundary in the order of the terms. */
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
  // Says the same once more in the form that an index can begin with.
  const edge = sql`${boundary.values[0] ?? null}::${first.type}`
  return sql`${values[0]} ${first.direction === 'asc' ? sql`>=` : sql`<=`} ${edge} and ${from(0)}`
}
