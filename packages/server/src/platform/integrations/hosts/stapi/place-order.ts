import { createHash } from 'node:crypto'
import { SafeFetchFailure } from '../../integrations.ts'
import { HostRefusal } from '../../imagery-host.ts'
import type { TaskingHost } from '../../tasking-host.ts'
import { HostApiError, type JsonResponse } from '../request-host-json.ts'
import { asObject, asText, isObject, type ReadonlyJsonObject } from '../stac-item.ts'
import { anyOpportunityId, searchStapiOpportunities, parseOpportunityWindow } from './search-opportunities.ts'
import {
  formatStapiInterval,
  readStapiInterval,
  toStapiBody,
  toStapiSearchParameters,
  type OfferedProduct,
  type StapiSearchParameters,
} from './search-parameters.ts'
import { appendUrlPath, readStapiListPages, type StapiClient } from './stapi-client.ts'

type PlacedTask = Parameters<TaskingHost['placeTask']>[1]

interface Window {
  readonly from: Date
  readonly to: Date
}

export interface StapiOrderPlacementContext {
  readonly client: StapiClient
  readonly offered: OfferedProduct
  readonly orders_url: string
}

/**
 * Places an order once. STAPI knows no reference of the customer, so before each attempt the orders of the account are
 * searched for the one of an attempt whose response was lost.
 */
export async function placeStapiOrder(
  context: StapiOrderPlacementContext,
  task: PlacedTask,
  signal?: AbortSignal,
): Promise<string> {
  const identity = identifyOrder(context, task)
  const known = await findOrder(context, identity, signal)
  if (known !== null) return known
  const filter = await findProposedFilter(context, task, signal)
  try {
    return await createOrder(context, task, { ...identity, parameters: { ...identity.parameters, ...filter } }, signal)
  } catch (error) {
    if (!isUncertain(error)) throw error
    const created = await findOrder(context, identity, signal)
    if (created === null) throw error
    return created
  }
}

const notOffered = (): HostRefusal => new HostRefusal('The provider no longer offers the chosen opportunity.')

/** The window of the request, or of the chosen pass within it. */
function windowOf({ request, opportunity }: PlacedTask): Window {
  if (opportunity === null || opportunity === anyOpportunityId) return request
  const pass = parseOpportunityWindow(opportunity)
  if (!pass || pass.to < request.from || pass.from > request.to) throw notOffered()
  return {
    from: pass.from > request.from ? pass.from : request.from,
    to: pass.to < request.to ? pass.to : request.to,
  }
}

/** The filter that the provider proposes for the chosen pass; area and time stay what the customer ordered. */
async function findProposedFilter(
  { client, offered }: StapiOrderPlacementContext,
  { request, opportunity: id }: PlacedTask,
  signal?: AbortSignal,
): Promise<Pick<StapiSearchParameters, 'filter'>> {
  if (id === null || id === anyOpportunityId) return {}
  const opportunities = await searchStapiOpportunities(client, offered, request, signal)
  const chosen = opportunities.find(({ opportunity }) => opportunity.id === id)
  if (!chosen) throw notOffered()
  const proposed = asObject(chosen.createOrder?.body)
  const filter = asObject(proposed['search_parameters'])['filter'] ?? proposed['filter']
  return isObject(filter) ? { filter } : {}
}

/** The properties by which an order of this platform is recognised at the provider. */
interface OrderIdentity {
  readonly id: string
  readonly parameters: StapiSearchParameters
  readonly order_parameters: ReadonlyJsonObject
  /** The order parameter with the id of the task; null if the product has none. */
  readonly reference_parameter: string | null
  /** True if the window alone distinguishes the orders of this platform. */
  readonly isWindowUnique: boolean
}

const min_marked_window_ms = 60_000

function identifyOrder({ offered }: StapiOrderPlacementContext, task: PlacedTask): OrderIdentity {
  const { id } = task
  const { row, product } = offered
  const { reference_parameter } = row
  const hasReference = reference_parameter !== null && product.orderParameters.has(reference_parameter)
  const reference = hasReference ? { [reference_parameter]: id } : {}
  const window = windowOf(task)
  const isWindowUnique = !hasReference && window.to.getTime() - window.from.getTime() > min_marked_window_ms
  return {
    id,
    parameters: {
      ...toStapiSearchParameters(offered, task.request),
      datetime: isWindowUnique ? markWindow(window, id) : formatStapiInterval(window),
    },
    order_parameters: { ...row.order_parameters, ...reference },
    reference_parameter: hasReference ? reference_parameter : null,
    isWindowUnique,
  }
}

/**
 * Shortens a window by less than a second at each end, by amounts that follow from our id: two orders of the same area and
 * time differ in a million ways, and an order is recognised without a reference.
 */
function markWindow({ from, to }: Window, id: string): string {
  const hash = createHash('sha256').update(id).digest()
  const [start_ms, end_ms] = [hash.readUInt32BE(0) % 1000, hash.readUInt32BE(4) % 1000]
  return formatStapiInterval({ from: new Date(from.getTime() + start_ms), to: new Date(to.getTime() - end_ms) })
}

/** The id at the provider of the order of this platform, or null. Throws `HostRefusal` if it may be another one. */
async function findOrder(
  { client, offered, orders_url }: StapiOrderPlacementContext,
  identity: OrderIdentity,
  signal?: AbortSignal,
): Promise<string | null> {
  const url = new URL(orders_url)
  url.searchParams.set('limit', String(client.limits.page_size))
  let isAmbiguous = false
  for await (const { entries } of readStapiListPages(client, { method: 'GET', url: url.href }, 'features', signal)) {
    for (const order of entries) {
      const match = matchOrder(order, offered.product.id, identity)
      const id = asText(order['id'])
      if (match === 'same' && id !== null) return id
      isAmbiguous ||= match === 'similar'
    }
  }
  if (isAmbiguous)
    throw new HostRefusal('The provider already has an order of the same area and time, which may be this one.')
  return null
}

function matchOrder(order: ReadonlyJsonObject, product: string, identity: OrderIdentity): 'same' | 'similar' | 'other' {
  const properties = asObject(order['properties'])
  if (properties['product_id'] !== product) return 'other'
  const request = { ...properties, ...asObject(properties['order_request']) }
  const { id, parameters, reference_parameter, isWindowUnique } = identity
  if (reference_parameter !== null)
    return asObject(request['order_parameters'])[reference_parameter] === id ? 'same' : 'other'
  const stated = asObject(request['search_parameters'])
  if (!isSameGeometry(stated['geometry'], parameters.geometry)) return 'other'
  const [left, right] = [readStapiInterval(stated['datetime']), readStapiInterval(parameters.datetime)]
  if (!left || !right) return 'other'
  if (isWindowUnique && isSameWindow(left, right, 1)) return 'same'
  // The provider rounds times, or the window is too short to be marked.
  const isRounded = !isWindowUnique || (left.from.getMilliseconds() === 0 && left.to.getMilliseconds() === 0)
  return isRounded && isSameWindow(left, right, 1000) ? 'similar' : 'other'
}

const isSameWindow = (left: Window, right: Window, tolerance_ms: number): boolean =>
  Math.abs(left.from.getTime() - right.from.getTime()) < tolerance_ms &&
  Math.abs(left.to.getTime() - right.to.getTime()) < tolerance_ms

function isSameGeometry(value: unknown, geometry: ReadonlyJsonObject): boolean {
  const { type, coordinates } = asObject(value)
  return type === geometry['type'] && JSON.stringify(coordinates) === JSON.stringify(geometry['coordinates'])
}

/** The request may have had an effect although it failed. */
const isUncertain = (error: unknown): boolean =>
  error instanceof SafeFetchFailure
    ? error.kind === 'connection' || error.kind === 'timeout'
    : error instanceof HostApiError && (error.status >= 500 || error.status < 300)

/** Statuses after which the same order would be refused again. */
const refused_statuses: ReadonlySet<number> = new Set([400, 402, 404, 405, 409, 413, 422])

async function createOrder(
  { client, offered, orders_url }: StapiOrderPlacementContext,
  task: PlacedTask,
  { parameters, order_parameters }: OrderIdentity,
  signal?: AbortSignal,
): Promise<string> {
  const request = {
    method: 'POST',
    url: offered.product.create_order_url,
    headers: { 'idempotency-key': task.id },
    body: { ...toStapiBody(offered.product, parameters), order_parameters },
    isRepeatable: false,
  } as const
  try {
    return readOrderId(await client.exchange(request, [200, 201, 202], signal), orders_url)
  } catch (error) {
    if (error instanceof HostApiError && refused_statuses.has(error.status))
      throw new HostRefusal(`The provider rejected the order${error.reason ? `: ${error.reason}` : '.'}`)
    throw error
  }
}

const max_id_length = 500

/** The id of the order in the body, or at the end of its location. */
function readOrderId({ status, headers, json }: JsonResponse, orders_url: string): string {
  const location = headers['location']
  const lastSegment =
    location && URL.canParse(location, orders_url) ? new URL(location, orders_url).pathname.split('/').at(-1) : null
  const id = asText(asObject(json)['id']) ?? asText(lastSegment)
  if (id === null || id.length > max_id_length)
    throw new HostApiError(status, 'the provider returned an order without an id')
  return id
}

export const buildStapiOrderUrl = (orders_url: string, id: string): string =>
  appendUrlPath(orders_url.split('?', 1)[0]!, encodeURIComponent(id))
