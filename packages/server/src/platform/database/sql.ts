/** A statement with its bound values and nested fragments; created only by the `sql` tag. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** True if a connection prepares a statement; `generic`: PostgreSQL then plans it once for all values. */
export type StatementPreparationMode = boolean | 'generic'

/** The same, or only once the text of the statement has occurred often enough. */
export type StatementPreparation = StatementPreparationMode | 'when-frequent' | 'generic-when-frequent'

export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly prepared: StatementPreparation
}

const jsonBrand = Symbol('json')

/** A class, because a search is composed of a hundred fragments, and objects with a symbol key take half as long again. */
export class SqlFragment implements Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly prepared: StatementPreparation
  /**
   * Identifies `strings`, cheaply to compare: the list itself if it belongs to a template, which is one object for all its
   * uses; else the only text; for a joined list, whose texts are empty, their number.
   */
  readonly shape: readonly string[] | string | number

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    prepared: StatementPreparation = false,
    shape: SqlFragment['shape'] = strings,
  ) {
    this.strings = strings
    this.values = values
    this.prepared = prepared
    this.shape = shape
  }
}

/**
 * A statement or a fragment of one. Every `${value}` becomes a bound parameter, a nested `sql` fragment is spliced in when
 * the statement is run; SQL text never comes from a value.
 */
const sqlTag = (strings: TemplateStringsArray, ...values: readonly unknown[]): Sql => new SqlFragment(strings, values)

const noValues: readonly unknown[] = []

/** A column or table name from a list in the code; throws for any other name. */
function identifier<const Name extends string>(name: string, allowed: readonly Name[]): Sql {
  if (!allowed.includes(name as Name)) throw new Error(`"${name}" is not one of the names allowed here`)
  const text = `"${name}"`
  return new SqlFragment([text], noValues, false, text)
}

const comma = new SqlFragment([', '], noValues)

/** Concatenates fragments with a separator. */
function join(fragments: readonly Sql[], separator: Sql = comma): Sql {
  const strings = ['']
  const values: Sql[] = []
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) {
      values.push(separator)
      strings.push('')
    }
    values.push(fragment)
    strings.push('')
  }
  return new SqlFragment(strings, values, false, strings.length)
}

/**
 * An integer as SQL text, for what the planner must know in a prepared statement, such as the number of rows wanted. Each
 * number makes another statement, so use it only for few distinct values.
 */
function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`)
  const text = String(value)
  return new SqlFragment([text], noValues, false, text)
}

/** A value for a json or jsonb parameter: always text on the wire, since the two drivers treat bare arrays differently. */
const json = (value: unknown): unknown => ({ [jsonBrand]: true, text: JSON.stringify(value ?? null) })

/** The value that is bound for a value of a fragment. */
const toBoundValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && jsonBrand in value
    ? (value as unknown as { text: string }).text
    : value

const withPreparation = (fragment: Sql, preparation: StatementPreparation): Sql =>
  new SqlFragment(
    fragment.strings,
    fragment.values,
    preparation,
    fragment instanceof SqlFragment ? fragment.shape : fragment.strings,
  )

/**
 * A prepared statement: for statements that run often, in few variants, with the same plan for all values. Name the
 * columns explicitly, since a prepared `*` fails when the table gets another column.
 */
const prepared = (fragment: Sql): Sql => withPreparation(fragment, true)

/**
 * A prepared statement whose best plan does not depend on its values. PostgreSQL estimates that the generic plan of an interval costs
 * more than a custom plan, and would plan a large statement for each execution, which takes longer than executing it.
 */
const generic = (fragment: Sql): Sql => withPreparation(fragment, 'generic')

/**
 * The same two for statements of unlimited variety, such as filtered searches: planning a small search costs more than running
 * it, but a connection cannot hold a plan for every text. See `createStatementPreparationPolicy`.
 */
const preparedWhenFrequent = (fragment: Sql): Sql => withPreparation(fragment, 'when-frequent')
const genericWhenFrequent = (fragment: Sql): Sql => withPreparation(fragment, 'generic-when-frequent')

const instantCast = '::timestamptz'

/** The place of a value in a template (`SqlTemplate`); `index` counts the values of a fragment. */
export class SqlTemplateParameter {
  readonly name: string
  readonly index: number | null

  constructor(name: string, index: number | null = null) {
    this.name = name
    this.index = index
  }
}

/** The bound values of a statement: that of `$1` first. */
export class BoundValues {
  readonly values: unknown[] = []
  private repeatable: Map<object, number> | null = null

  /**
   * Binds a value of a fragment and returns the number of its parameter. A `Date` that is cast to timestamptz wherever it
   * occurs is one parameter: a search names its interval in each of its parts, and PostgreSQL parses each parameter. So is
   * each value of a template.
   *
   * @param following the text of the statement after the value.
   */
  bind(value: unknown, following: string): number {
    const isRepeatable =
      value instanceof SqlTemplateParameter || (value instanceof Date && following.startsWith(instantCast))
    if (!isRepeatable) return this.values.push(toBoundValue(value))
    this.repeatable ??= new Map()
    const number = this.repeatable.get(value) ?? this.values.push(value)
    this.repeatable.set(value, number)
    return number
  }
}

/** Appends the text and the bound values of a fragment and of those in it, in order. */
function appendFragment({ strings, values }: Sql, text: string[], bound: BoundValues): void {
  for (let index = 0; index < values.length; index++) {
    text.push(strings[index]!)
    const value = values[index]
    if (value instanceof SqlFragment) appendFragment(value, text, bound)
    else text.push(`$${bound.bind(value, strings[index + 1]!)}`)
  }
  text.push(strings[values.length]!)
}

/** The text with numbered parameters that both drivers take. */
export function toSqlStatement(fragment: Sql): SqlStatement {
  const text: string[] = []
  const bound = new BoundValues()
  appendFragment(fragment, text, bound)
  return {
    // One flat text: one made of many concatenations is slow to compare and to hash.
    text: text.join(''),
    values: bound.values,
    prepared: fragment instanceof SqlFragment && fragment.prepared,
  }
}

/** Values of a template by name: null, a value that is bound, or a fragment that has only such values. */
export type SqlTemplateValues = Readonly<Record<string, unknown>>

/**
 * A statement whose text is composed once for all values: for a statement of many fragments that runs often.
 *
 * - `shape` names everything that the text depends on, except which values are null and the texts of fragments.
 * - `build` composes the statement of values. It must pass them on as they are: for the text, it receives a parameter
 *   for each of them, and any other bound value is an error, so that no value of a caller stays in a text for others.
 */
export class SqlTemplate<Values extends SqlTemplateValues = SqlTemplateValues> implements Sql {
  readonly shape: string
  readonly parameters: Values
  readonly build: (parameters: Values) => Sql

  constructor(shape: string, parameters: Values, build: (parameters: Values) => Sql) {
    this.shape = shape
    this.parameters = parameters
    this.build = build
  }

  /** The statement composed of its values, for what knows only fragments. */
  get strings(): readonly string[] {
    return this.build(this.parameters).strings
  }

  get values(): readonly unknown[] {
    return this.build(this.parameters).values
  }
}

/**
 * A statement whose text is cached for all values; see `SqlTemplate`. A connection prepares it as the result of `build`
 * demands.
 */
const template = <Values extends SqlTemplateValues>(
  shape: string,
  parameters: Values,
  build: (parameters: Values) => Sql,
): Sql => new SqlTemplate(shape, parameters, build)

export const sql = Object.assign(sqlTag, {
  join,
  identifier,
  integer,
  json,
  prepared,
  generic,
  preparedWhenFrequent,
  genericWhenFrequent,
  template,
  empty: new SqlFragment([''], noValues),
})
