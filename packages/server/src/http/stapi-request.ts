import { validationProblem } from '../engine/problem.ts'
import { orderParameterProperties } from './representations/stapi/documents.ts'
import type { OpportunitySearchParameters } from './representations/stapi/opportunities.ts'
import { stapiQueryables } from './representations/stapi/vocabulary.ts'

type Fields = Readonly<Record<string, unknown>>

/** A search for opportunities, or an order, as a client states it. */
export interface StapiRequest {
  readonly search: OpportunitySearchParameters
  /** The parameters of the tasking operations that mean the same. */
  readonly params: Readonly<Record<string, unknown>>
  readonly orderParameters: Fields
  readonly limit: unknown
  readonly next: unknown
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (path: string, message: string) => validationProblem([{ path, message }])

const search_members = ['datetime', 'geometry', 'filter'] as const
const request_members: ReadonlySet<string> = new Set([
  ...search_members,
  'search_parameters',
  'order_parameters',
  'limit',
  'next',
])

/** Reads a body of version 0.1, or of 0.2 with `search_parameters`. Throws `validation`. */
export function readStapiRequest(body: unknown): StapiRequest {
  if (!isFields(body)) throw invalid('', 'must be an object')
  rejectUnknown(body, request_members, '')
  const isNested = body['search_parameters'] !== undefined
  const path = isNested ? 'search_parameters.' : ''
  const stated = isNested ? body['search_parameters'] : body
  if (!isFields(stated)) throw invalid('search_parameters', 'must be an object')
  if (isNested) rejectUnknown(stated, new Set(search_members), path)
  const { datetime, geometry } = stated
  const filter = stated['filter'] ?? null
  const window = readWindow(datetime, `${path}datetime`)
  if (!isFields(geometry)) throw invalid(`${path}geometry`, 'must be a Polygon or MultiPolygon')
  const search = { datetime: datetime as string, geometry, ...(filter === null ? {} : { filter }) }
  return {
    search,
    params: { ...window, ...readFilter(filter, `${path}filter`) },
    orderParameters: readOrderParameters(body['order_parameters']),
    limit: body['limit'],
    next: body['next'],
  }
}

function rejectUnknown(fields: Fields, known: ReadonlySet<string>, path: string): void {
  const unknown = Object.keys(fields).find((name) => !known.has(name))
  if (unknown !== undefined) throw invalid(`${path}${unknown}`, 'is not a known field')
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

function readWindow(datetime: unknown, path: string) {
  const times = typeof datetime === 'string' ? datetime.split('/') : []
  const [start, end] = times.map((time) => (rfc3339.test(time) ? new Date(time) : new Date(Number.NaN)))
  if (times.length !== 2 || Number.isNaN(start!.getTime()) || Number.isNaN(end!.getTime()))
    throw invalid(path, 'must be an interval of two times (RFC 3339), separated by a slash')
  if (end! < start!) throw invalid(path, 'must not end before it begins')
  return { acquisitionStart: start!.toISOString(), acquisitionEnd: end!.toISOString() }
}

const max_comparisons = 20

/** A filter in CQL2 JSON: bounds of queryables, joined by `and`. A strict bound is read as the bound. */
function readFilter(filter: unknown, path: string): Record<string, unknown> {
  if (filter === null) return {}
  const comparisons = isFields(filter) && filter['op'] === 'and' ? filter['args'] : [filter]
  if (!Array.isArray(comparisons) || comparisons.length > max_comparisons)
    throw invalid(path, `must have at most ${max_comparisons} comparisons`)
  const params: Record<string, unknown> = {}
  for (const comparison of comparisons as unknown[]) {
    const [parameter, value] = readComparison(comparison, path)
    if (parameter in params && params[parameter] !== value) throw invalid(path, 'has two bounds of one property')
    params[parameter] = value
  }
  return params
}

function readComparison(comparison: unknown, path: string): readonly [parameter: string, value: unknown] {
  const { op, args } = isFields(comparison) ? comparison : {}
  const [left, value] = Array.isArray(args) && args.length === 2 ? (args as unknown[]) : []
  const property = isFields(left) ? left['property'] : undefined
  if (property === 'sensor' && op === '=' && typeof value === 'string') return ['sensor', value]
  const queryable =
    typeof property === 'string' && Object.hasOwn(stapiQueryables, property) ? stapiQueryables[property] : undefined
  const isBound = queryable !== undefined && (op === queryable.bound || op === queryable.bound[0])
  if (isBound && typeof value === 'number') return [queryable.parameter, value]
  const bounds = Object.entries(stapiQueryables).map(([name, { bound }]) => `${name} ${bound} …`)
  throw invalid(path, `can only be ${bounds.join(', ')} or sensor = …, joined by and`)
}

function readOrderParameters(value: unknown): Fields {
  if (value === undefined || value === null) return {}
  if (!isFields(value)) throw invalid('order_parameters', 'must be an object')
  rejectUnknown(value, new Set(Object.keys(orderParameterProperties)), 'order_parameters.')
  return value
}

/** The input of `orders.tasking.opportunities_list`. */
export const toOpportunitiesInput = (dataProduct: string, { search, params }: StapiRequest) => ({
  dataProduct,
  featureCollection: {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry: search.geometry, properties: {} }],
  },
  params,
})

/** The input of `orders.tasking.place`. */
export function toTaskingOrderInput(dataProduct: string, { search, params, orderParameters }: StapiRequest) {
  const { opportunityId, replan, ...order } = orderParameters
  const chosen = {
    ...(opportunityId === undefined ? {} : { opportunityId }),
    ...(replan === undefined ? {} : { replan }),
  }
  return { ...order, groups: [{ geometry: search.geometry, dataProduct, params: { ...params, ...chosen } }] }
}

const default_limit = 10

/** The size and the begin of a page; a larger limit than the maximum is the maximum. Throws `validation`. */
export function parseStapiPageParameters(
  { limit, next }: { readonly limit: unknown; readonly next: unknown },
  max_limit: number,
): { readonly limit: number; readonly begin: number } {
  return {
    limit: Math.min(readInteger('limit', limit ?? default_limit, 1), max_limit),
    begin: readInteger('next', next ?? 0, 0),
  }
}

function readInteger(name: string, value: unknown, minimum: number): number {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < minimum)
    throw invalid(name, `must be an integer of at least ${minimum}`)
  return number
}
