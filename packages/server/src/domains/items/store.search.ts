import type { ItemType } from '@swath/contract/shapes/item.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { readInstant } from './datetime.ts'
import { jsonOf, knownColumns, textOf } from './store.properties.ts'
import { itemColumns, type ItemRow } from './store.ts'

/** West, south, east, north; west is never greater than east. */
export type Box = readonly [west: number, south: number, east: number, north: number]

export interface PropertyTest {
  readonly property: string
  readonly operator: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'startsWith' | 'endsWith' | 'contains' | 'in'
  readonly value: unknown
}

export interface SortKey {
  readonly property: string
  readonly direction: 'asc' | 'desc'
}

export interface ItemSearch {
  readonly projects: readonly string[]
  /** An item may lie in any of them; null is everywhere, an empty list nowhere. */
  readonly boxes: readonly Box[] | null
  readonly from: Date | null
  readonly to: Date | null
  readonly collections: readonly string[] | null
  readonly type: ItemType | null
  readonly tests: readonly PropertyTest[]
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
}

const comparisons = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } as const
const isComparison = (operator: string): operator is keyof typeof comparisons => Object.hasOwn(comparisons, operator)

/** One condition. What is absent fits no condition but `eq: null`; what is of another type fits none but `neq`. */
function condition({ property, operator, value }: PropertyTest): Sql {
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

/** A text within a text, or a member of a list. */
function containsCondition(property: string, value: unknown): Sql {
  const json = jsonOf(property)
  const member = sql`(jsonb_typeof(${json}) = 'array' and ${json} @> ${sql.json([value])}::jsonb)`
  if (typeof value !== 'string') return member
  return sql`(${member} or (jsonb_typeof(${json}) = 'string' and strpos(${textOf(property)}, ${value}::text) > 0))`
}

function timeCondition(time: Sql, operator: PropertyTest['operator'], value: unknown): Sql {
  if (value === null) return operator === 'eq' ? sql`${time} is null` : sql`${time} is not null`
  const instants = (Array.isArray(value) ? value : [value]).map((text) =>
    typeof text === 'string' ? readInstant(text) : null,
  )
  const known = instants.filter((instant) => instant !== null)
  if (operator === 'in') return sql`${time} = any(${known}::timestamptz[])`
  const [instant] = known
  if (!instant) return operator === 'neq' ? sql`${time} is not null` : sql`false`
  if (operator === 'eq') return sql`${time} = ${instant}::timestamptz`
  if (operator === 'neq') return sql`${time} <> ${instant}::timestamptz`
  return isComparison(operator) ? sql`${time} ${comparisons[operator]} ${instant}::timestamptz` : sql`false`
}

/** ST_Envelope keeps a box without area a line or a point, which a polygon of that shape would not be. */
const inBox = ([west, south, east, north]: Box): Sql => {
  const box = sql`ST_Envelope(ST_SetSRID(ST_MakeLine(ST_MakePoint(${west}::float8, ${south}::float8),
                                                     ST_MakePoint(${east}::float8, ${north}::float8)), 4326))`
  return sql`(i.geometry && ${box} and ST_Intersects(i.geometry, ${box}))`
}

const orderOf = (key: SortKey): Sql => {
  const direction = key.direction === 'asc' ? sql`asc` : sql`desc`
  const known = knownColumns.get(key.property)
  if (known?.kind === 'text') return sql`(${known.value}) collate "C" ${direction} nulls last`
  if (known) return sql`${known.value} ${direction} nulls last`
  const json = jsonOf(key.property)
  return sql`
    case jsonb_typeof(${json}) when 'number' then 0 when 'string' then 1 when 'boolean' then 2 when 'array' then 3
                               when 'object' then 4 else 5 end,
    case when jsonb_typeof(${json}) = 'number' then (${json})::numeric end ${direction},
    ${textOf(key.property)} ${direction}`
}

function whereOf(organization: string, search: ItemSearch): Sql {
  const conditions = [
    sql`i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`,
    sql`i.project_id = any(${search.projects}::uuid[])`,
    ...(search.boxes ? [sql`(${sql.join(search.boxes.map(inBox), sql` or `)})`] : []),
    ...(search.from ? [sql`i.covers_to >= ${search.from}::timestamptz`] : []),
    ...(search.to ? [sql`i.covers_from <= ${search.to}::timestamptz`] : []),
    ...(search.collections ? [sql`i.collection_id = any(${search.collections}::uuid[])`] : []),
    ...(search.type ? [sql`i.type = ${search.type}`] : []),
    ...search.tests.map(condition),
  ]
  return sql.join(conditions, sql` and `)
}

/** The page of a search as one statement; for the search itself and for the test of its plan. Newest first without a sort. */
export function pageStatement(organization: string, search: ItemSearch): Sql {
  const order = search.sort.length === 0 ? [sql`i.covers_from desc`] : search.sort.map(orderOf)
  return sql`
    select ${itemColumns} from items i where ${whereOf(organization, search)}
    order by ${sql.join(order)}, i.id limit ${search.limit} offset ${search.offset}`
}

/** One page of items and the exact count of all that fit. */
export async function searchItems(
  db: Queryable,
  organization: string,
  search: ItemSearch,
): Promise<{ rows: ItemRow[]; matched: number }> {
  if (search.projects.length === 0 || search.boxes?.length === 0) return { rows: [], matched: 0 }
  const rows = await db.query<ItemRow>(pageStatement(organization, search))
  // The count follows from a page that is not full, unless the page lies behind the end.
  if (rows.length < search.limit && (rows.length > 0 || search.offset === 0)) {
    return { rows, matched: search.offset + rows.length }
  }
  const [count] = await db.query<{ matched: number }>(sql`
    select count(*) as matched from items i where ${whereOf(organization, search)}`)
  return { rows, matched: count?.matched ?? 0 }
}
