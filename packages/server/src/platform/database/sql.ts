/** A statement with its bound values; created only by the `sql` tag. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** Whether a connection prepares a statement; `generic`: PostgreSQL then plans it once, whatever the values are. */
export type Preparation = boolean | 'generic'

/** The same, or only once the text of the statement has occurred often enough. */
export type RequestedPreparation = Preparation | 'when-frequent' | 'generic-when-frequent'

export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly prepared: RequestedPreparation
}

const fragmentBrand = Symbol('sql')
const jsonBrand = Symbol('json')
const preparedBrand = Symbol('kept')

const createSql = (strings: readonly string[], values: readonly unknown[]): Sql =>
  ({ strings, values, [fragmentBrand]: true }) as Sql

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && fragmentBrand in value

/**
 * A statement or a fragment of one. Every `${value}` becomes a bound parameter, a nested `sql` fragment is spliced in; SQL
 * text never comes from a value.
 */
function sqlTag(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const texts: string[] = [strings[0] ?? '']
  const bound: unknown[] = []
  values.forEach((value, index) => {
    const after = strings[index + 1] ?? ''
    if (!isSql(value)) {
      bound.push(value)
      texts.push(after)
      return
    }
    texts[texts.length - 1] += value.strings[0] ?? ''
    value.values.forEach((inner, at) => {
      bound.push(inner)
      texts.push(value.strings[at + 1] ?? '')
    })
    texts[texts.length - 1] += after
  })
  return createSql(texts, bound)
}

/** A column or table name from a list in the code; throws for any other name. */
function identifier<const Name extends string>(name: string, allowed: readonly Name[]): Sql {
  if (!allowed.includes(name as Name)) throw new Error(`"${name}" is not one of the names allowed here`)
  return createSql([`"${name}"`], [])
}

/** Concatenates fragments with a separator. */
function join(fragments: readonly Sql[], separator: Sql = createSql([', '], [])): Sql {
  return fragments.reduce(
    (left, right, index) => (index === 0 ? right : sqlTag`${left}${separator}${right}`),
    createSql([''], []),
  )
}

/**
 * An integer as SQL text, for what the planner must know in a prepared statement, such as the number of rows wanted. Each
 * number makes another statement, so use it only for few distinct values.
 */
function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`)
  return createSql([String(value)], [])
}

/** A value for a json or jsonb parameter: always text on the wire, since the two drivers treat bare arrays differently. */
const json = (value: unknown): unknown => ({ [jsonBrand]: true, text: JSON.stringify(value ?? null) })

const toBoundValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && jsonBrand in value
    ? (value as unknown as { text: string }).text
    : value

/**
 * A prepared statement: for statements that run often, in few variants, with the same plan for all values. Name the
 * columns explicitly, since a prepared `*` fails when the table gets another column.
 */
const prepared = (fragment: Sql): Sql => ({ ...fragment, [preparedBrand]: true }) as Sql

/**
 * A prepared statement whose best plan does not depend on its values. PostgreSQL estimates that the generic plan of an interval costs
 * more than a custom plan, and would plan a large statement for each execution, which takes longer than executing it.
 */
const generic = (fragment: Sql): Sql => ({ ...fragment, [preparedBrand]: 'generic' }) as Sql

/**
 * The same two for statements of unlimited variety, such as filtered searches: planning a small search costs more than running
 * it, but a connection cannot hold a plan for every text. See `createPreparationPolicy`.
 */
const preparedWhenFrequent = (fragment: Sql): Sql => ({ ...fragment, [preparedBrand]: 'when-frequent' }) as Sql
const genericWhenFrequent = (fragment: Sql): Sql => ({ ...fragment, [preparedBrand]: 'generic-when-frequent' }) as Sql

/** The text with numbered parameters that both drivers take. */
export function toStatement(fragment: Sql): SqlStatement {
  const text = fragment.strings.reduce((left, right, index) => `${left}$${index}${right}`)
  return {
    text,
    values: fragment.values.map(toBoundValue),
    prepared: (fragment as { [preparedBrand]?: RequestedPreparation })[preparedBrand] ?? false,
  }
}

export const sql = Object.assign(sqlTag, {
  join,
  identifier,
  integer,
  json,
  prepared,
  generic,
  preparedWhenFrequent,
  genericWhenFrequent,
  empty: createSql([''], []),
})
