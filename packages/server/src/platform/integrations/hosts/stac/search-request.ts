import type { HostSearch, HostSearchPropertyBounds } from '../../imagery-host.ts'
import type { StacRequest } from './stac-client.ts'

/** The capabilities of an API, by its landing page. */
export interface StacCapabilities {
  readonly search_url: string
  readonly canPost: boolean
  readonly canSort: boolean
  /** The syntax of bounds of properties; null if the API cannot filter by them. */
  readonly filter: 'query' | 'cql2' | null
}

/** A time interval in milliseconds; null is open-ended. */
export interface TimeWindow {
  readonly from_ms: number | null
  readonly to_ms: number | null
}

export interface StacSearchRequestOptions {
  readonly search: HostSearch
  /** Always sent if the operator has chosen collections. */
  readonly collections: readonly string[] | null
  readonly window: TimeWindow
  readonly page_size: number
}

/** The first request of a search. */
export function createStacSearchRequest(
  capabilities: StacCapabilities,
  { search, collections, window, page_size }: StacSearchRequestOptions,
): StacRequest {
  const { ids, bbox, intersects, query } = search
  const datetime = toInterval(window)
  const filter = query ? toFilter(capabilities.filter, query) : {}
  const parameters = {
    limit: page_size,
    ...(collections ? { collections } : {}),
    ...(ids ? { ids } : {}),
    ...(bbox ? { bbox } : {}),
    ...(intersects ? { intersects } : {}),
    ...(datetime ? { datetime } : {}),
    ...filter,
  }
  const { canPost, canSort, search_url: url } = capabilities
  if (canPost) return { method: 'POST', url, body: { ...parameters, ...(canSort ? { sortby: sortNewestFirst } : {}) } }
  return { method: 'GET', url: withQuery(url, { ...parameters, ...(canSort ? { sortby: '-datetime,+id' } : {}) }) }
}

const sortNewestFirst = [
  { field: 'datetime', direction: 'desc' },
  { field: 'id', direction: 'asc' },
]

function toInterval({ from_ms, to_ms }: TimeWindow): string | null {
  if (from_ms === null && to_ms === null) return null
  const toText = (time_ms: number | null): string => (time_ms === null ? '..' : new Date(time_ms).toISOString())
  return `${toText(from_ms)}/${toText(to_ms)}`
}

type Query = Readonly<Record<string, HostSearchPropertyBounds>>

const operators = { GT: '>', GTE: '>=', LT: '<', LTE: '<=', EQ: '=' } as const
type Operator = keyof typeof operators

const boundsOf = (bounds: HostSearchPropertyBounds): (readonly [Operator, number | string])[] =>
  (Object.keys(operators) as Operator[]).flatMap((operator) => {
    const bound = bounds[operator]
    return bound === undefined ? [] : [[operator, bound] as const]
  })

/** Bounds as the `query` extension or as CQL2. They are compared here in any case. */
function toFilter(kind: StacCapabilities['filter'], query: Query): Record<string, unknown> {
  if (kind === 'query') {
    const entries = Object.entries(query).map(([name, bounds]) => [
      name,
      Object.fromEntries(boundsOf(bounds).map(([operator, bound]) => [operator.toLowerCase(), bound])),
    ])
    return { query: Object.fromEntries(entries) as unknown }
  }
  if (kind === null) return {}
  const args = Object.entries(query).flatMap(([property, bounds]) =>
    boundsOf(bounds).map(([operator, bound]) => ({ op: operators[operator], args: [{ property }, bound] })),
  )
  if (args.length === 0) return {}
  return { 'filter-lang': 'cql2-json', filter: args.length === 1 ? args[0] : { op: 'and', args } }
}

/** Lists with commas, objects as JSON: the form of GET. */
function withQuery(url: string, parameters: Readonly<Record<string, unknown>>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(parameters)) {
    const isPlainList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object')
    const text = isPlainList ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
    target.searchParams.set(name, text)
  }
  return target.href
}
