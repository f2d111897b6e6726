/** A statement with its bound values; created only by the `sql` tag. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** Whether a connection prepares a statement; `generic`: PostgreSQL then plans it once, whatever the values are. */
export type Preparation = boolean | 'generic'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly kept: Preparation
}

const fragmentBrand = Symbol('sql')
const jsonBrand = Symbol('json')
const keptBrand = Symbol('kept')

const make = (strings: readonly string[], values: readonly unknown[]): Sql =>
  ({ strings, values, [fragmentBrand]: true }) as Sql

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && fragmentBrand in value

/**
 * A statement or a fragment of one. Every `${value}` becomes a bound parameter, a nested `sql` fragment is spliced in; SQL
 * text never comes from a value.
 */
function tag(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
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
  return make(texts, bound)
}

/** A column or table name from a list in the code; throws for any other name. */
function identifier<const Name extends string>(name: string, allowed: readonly Name[]): Sql {
  if (!allowed.includes(name as Name)) throw new Error(`"${name}" is not one of the names allowed here`)
  return make([`"${name}"`], [])
}

/** Concatenates fragments with a separator. */
function join(pieces: readonly Sql[], separator: Sql = make([', '], [])): Sql {
  return pieces.reduce((left, right, index) => (index === 0 ? right : tag`${left}${separator}${right}`), make([''], []))
}

/**
 * An integer as SQL text, for what the planner must know in a prepared statement, such as the number of rows wanted. Each
 * number makes another statement, so use it only for few distinct values.
 */
function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`)
  return make([String(value)], [])
}

/** A value for a json or jsonb parameter: always text on the wire, since the two drivers treat bare arrays differently. */
const json = (value: unknown): unknown => ({ [jsonBrand]: true, text: JSON.stringify(value ?? null) })

const bind = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && jsonBrand in value
    ? (value as unknown as { text: string }).text
    : value

/**
 * A prepared statement: for statements that run often, in few variants, with the same plan for all values. Name the
 * columns explicitly, since a prepared `*` fails when the table gets another column.
 */
const kept = (piece: Sql): Sql => ({ ...piece, [keptBrand]: true }) as Sql

/**
 * A prepared statement whose best plan does not depend on its values. PostgreSQL estimates that the generic plan of an interval costs
 * more than a custom plan, and would plan a large statement for each execution, which takes longer than executing it.
 */
const generic = (piece: Sql): Sql => ({ ...piece, [keptBrand]: 'generic' }) as Sql

/** The text with numbered parameters that both drivers take. */
export function statementOf(piece: Sql): Statement {
  const text = piece.strings.reduce((left, right, index) => `${left}$${index}${right}`)
  return { text, values: piece.values.map(bind), kept: (piece as { [keptBrand]?: Preparation })[keptBrand] ?? false }
}

export const sql = Object.assign(tag, { join, identifier, integer, json, kept, generic, empty: make([''], []) })
