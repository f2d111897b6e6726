import { sql, type Sql } from '../../../platform/database/sql.ts'
import { normalizeTime } from '../../../engine/input/normalize-times.ts'
import { parseInstant } from '../../../engine/input/instant.ts'
import { propertyJsonSql, propertyColumns, propertyAsTextSql } from './store.properties.ts'

/** One condition of the query extension of STAC. */
export interface PropertyCondition {
  readonly property: string
  readonly operator: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'startsWith' | 'endsWith' | 'contains' | 'in'
  readonly value: unknown
  /** An alternative: an item matches if either condition holds. */
  readonly or?: PropertyCondition
}

const comparisons = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const
const isComparison = (operator: string): operator is keyof typeof comparisons => Object.hasOwn(comparisons, operator)

/** SQL of a condition. An absent value matches only `eq: null`; a value of another type matches only `neq`. */
export const propertyConditionSql = (condition: PropertyCondition): Sql =>
  condition.or ? sql`(${singleCondition(condition)} or ${singleCondition(condition.or)})` : singleCondition(condition)

function singleCondition({ property, operator, value }: PropertyCondition): Sql {
  const column = propertyColumns.get(property)
  if (column?.kind === 'time') return timeCondition(column.value, operator, value)
  const json = propertyJsonSql(property)
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
  const text = propertyAsTextSql(property)
  if (isComparison(operator)) return sql`(${isTyped} and ${text} ${comparisons[operator]} ${value}::text)`
  if (operator === 'startsWith') return sql`(${isTyped} and starts_with(${text}, ${value}::text))`
  return sql`(${isTyped} and right(${text}, length(${value}::text)) = ${value}::text)`
}

/** A substring of a text, or an element of an array. */
function containsCondition(property: string, value: unknown): Sql {
  const json = propertyJsonSql(property)
  const member = sql`(jsonb_typeof(${json}) = 'array' and ${json} @> ${sql.json([value])}::jsonb)`
  if (typeof value !== 'string') return member
  return sql`(${member} or (jsonb_typeof(${json}) = 'string' and strpos(${propertyAsTextSql(property)}, ${value}::text) > 0))`
}

type InstantRange = readonly [first: Date, last: Date]

/** The instants that a text covers: a date covers its day; a time without an offset is UTC; null for other text. */
function parseInstantRange(text: unknown): InstantRange | null {
  if (typeof text !== 'string') return null
  const [first, last] = [parseInstant(normalizeTime(text, 'start')), parseInstant(normalizeTime(text, 'end'))]
  return first && last && [first, last]
}

function timeCondition(time: Sql, operator: PropertyCondition['operator'], value: unknown): Sql {
  if (value === null) return operator === 'eq' ? sql`${time} is null` : sql`${time} is not null`
  const ranges = (Array.isArray(value) ? value : [value]).map(parseInstantRange).filter((range) => range !== null)
  const rangeCondition = ([first, last]: InstantRange): Sql =>
    sql`${time} between ${first}::timestamptz and ${last}::timestamptz`
  if (operator === 'in')
    return ranges.length === 0 ? sql`false` : sql`(${sql.join(ranges.map(rangeCondition), sql` or `)})`
  const [range] = ranges
  if (!range) return operator === 'neq' ? sql`${time} is not null` : sql`false`
  if (operator === 'eq') return rangeCondition(range)
  if (operator === 'neq') return sql`not ${rangeCondition(range)}`
  if (!isComparison(operator)) return sql`false`
  // `gt` a date means after its end, and `lte` up to its end.
  const bound = operator === 'gt' || operator === 'lte' ? range[1] : range[0]
  return sql`${time} ${comparisons[operator]} ${bound}::timestamptz`
}
