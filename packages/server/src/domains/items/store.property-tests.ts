import { sql, type Sql } from '../../platform/database/sql.ts'
import { spellTime } from '../../engine/spell-times.ts'
import { readInstant } from './datetime.ts'
import { jsonOf, knownColumns, textOf } from './store.properties.ts'

/** One condition of the query extension of STAC. */
export interface PropertyTest {
  readonly property: string
  readonly operator: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'startsWith' | 'endsWith' | 'contains' | 'in'
  readonly value: unknown
  /** An alternative: an item matches if either condition holds. */
  readonly or?: PropertyTest
}

const comparisons = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const
const isComparison = (operator: string): operator is keyof typeof comparisons => Object.hasOwn(comparisons, operator)

/** SQL of a condition. An absent value matches only `eq: null`; a value of another type matches only `neq`. */
export const testCondition = (test: PropertyTest): Sql =>
  test.or ? sql`(${oneCondition(test)} or ${oneCondition(test.or)})` : oneCondition(test)

function oneCondition({ property, operator, value }: PropertyTest): Sql {
  const known = knownColumns.get(property)
  if (known?.kind === 'time') return timeCondition(known.value, operator, value)
  const json = jsonOf(property)
  if (operator === 'eq' && value === null) return sql`coalesce(jsonb_typeof(${json}), 'null') = 'null'`
  if (operator === 'neq' && value === null) return sql`coalesce(jsonb_typeof(${json}), 'null') <> 'null'`
  if (operator === 'eq') return sql`${json} = ${sql.json(value)}::jsonb`
  if (operator === 'neq') return sql`${json} <> ${sql.json(value)}::jsonb`
  if (operator === 'in') return sql`${json} in (select jsonb_array_elements(${sql.json(value)}::jsonb))`
  if (operator === 'contains') return containsCondition(property, value)
  const isTyped = sql`jsonb_typeof(${json}) = ${typeof value === 'number' ? 'number' : 'string'}`
  if (isComparison(operator) && typeof value === 'number') {
    return sql`(${isTyped} and ${json} ${comparisons[operator]} ${sql.json(value)}::jsonb)`
  }
  const text = textOf(property)
  if (isComparison(operator)) return sql`(${isTyped} and ${text} ${comparisons[operator]} ${value}::text)`
  if (operator === 'startsWith') return sql`(${isTyped} and starts_with(${text}, ${value}::text))`
  return sql`(${isTyped} and right(${text}, length(${value}::text)) = ${value}::text)`
}

/** A substring of a text, or an element of an array. */
function containsCondition(property: string, value: unknown): Sql {
  const json = jsonOf(property)
  const member = sql`(jsonb_typeof(${json}) = 'array' and ${json} @> ${sql.json([value])}::jsonb)`
  if (typeof value !== 'string') return member
  return sql`(${member} or (jsonb_typeof(${json}) = 'string' and strpos(${textOf(property)}, ${value}::text) > 0))`
}

type Moments = readonly [first: Date, last: Date]

/** The instants that a text covers: a date covers its day; a time without an offset is UTC; null for other text. */
function spanIn(text: unknown): Moments | null {
  if (typeof text !== 'string') return null
  const [first, last] = [readInstant(spellTime(text, 'start')), readInstant(spellTime(text, 'end'))]
  return first && last && [first, last]
}

function timeCondition(time: Sql, operator: PropertyTest['operator'], value: unknown): Sql {
  if (value === null) return operator === 'eq' ? sql`${time} is null` : sql`${time} is not null`
  const spans = (Array.isArray(value) ? value : [value]).map(spanIn).filter((span) => span !== null)
  const within = ([first, last]: Moments): Sql => sql`${time} between ${first}::timestamptz and ${last}::timestamptz`
  if (operator === 'in') return spans.length === 0 ? sql`false` : sql`(${sql.join(spans.map(within), sql` or `)})`
  const [span] = spans
  if (!span) return operator === 'neq' ? sql`${time} is not null` : sql`false`
  if (operator === 'eq') return within(span)
  if (operator === 'neq') return sql`not ${within(span)}`
  if (!isComparison(operator)) return sql`false`
  // `gt` a date means after its end, and `lte` up to its end.
  const edge = operator === 'gt' || operator === 'lte' ? span[1] : span[0]
  return sql`${time} ${comparisons[operator]} ${edge}::timestamptz`
}
