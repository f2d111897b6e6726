import { findCurrentStapiStatus } from '@swath/contract/stapi-statuses.ts'
import type { Order, OrderTimeline, OrderTimelineEntry, PlacedOrder } from '@swath/contract/schemas/order.ts'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { OpportunityContext } from './opportunities.ts'
import {
  stapiGeojsonMediaType,
  stapiVersion,
  createStapiLink,
  stapiQueryables,
  type StapiLinkObject,
  type StapiUrls,
} from './vocabulary.ts'

/** An order of several products has none of its own. */
const severalProducts = 'various'

interface StapiStatusObject {
  readonly timestamp: string
  readonly status_code: string
  readonly reason_code: string | null
  readonly reason_text: string | null
  readonly links: readonly StapiLinkObject[]
}

/** A tasking order with its areas (`orders.get`, or `orders.list` with `include_areas`). */
export function toStapiOrder(order: Order, urls: StapiUrls) {
  const tasking = order.tasking
  if (!tasking?.geometry) throw new Error(`the order ${order.id} has no areas`)
  const product_id = order.dataProductId ?? severalProducts
  const datetime = `${tasking.acquisitionStart}/${tasking.acquisitionEnd}`
  const filter = toFilter(tasking)
  const search_parameters = { datetime, geometry: tasking.geometry, ...(filter ? { filter } : {}) }
  const { displayName, tags, projectId: workspaceId } = order
  return {
    type: 'Feature',
    stapi_type: 'Order',
    stapi_version: stapiVersion,
    id: order.id,
    bbox: geometryBounds(tasking.geometry as unknown as AreaGeometry),
    geometry: tasking.geometry,
    properties: {
      product_id,
      created: order.createdAt,
      status: toStatus(order, urls),
      search_parameters,
      opportunity_properties: { datetime, product_id },
      order_parameters: { workspaceId, replan: tasking.replan, tags, ...(displayName ? { displayName } : {}) },
      'service:price': { credits: order.totalCredits, aud: order.totalAud },
      'service:status': order.status,
      'service:sub_status': order.subStatus,
    },
    links: orderLinks(order.id, urls),
  }
}

/** An order as far as the response of placing it describes it; its id begins with its time. */
export function toPlacedStapiOrder(
  { id, projectId: workspaceId, totalCredits, totalAud }: PlacedOrder,
  { product, search, urls }: OpportunityContext,
) {
  const created = new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
  const status: StapiStatusObject = {
    timestamp: created,
    status_code: 'received',
    reason_code: null,
    reason_text: null,
    links: [],
  }
  return {
    type: 'Feature',
    stapi_type: 'Order',
    stapi_version: stapiVersion,
    id,
    bbox: geometryBounds(search.geometry as AreaGeometry),
    geometry: search.geometry,
    properties: {
      product_id: product,
      created,
      status,
      search_parameters: search,
      opportunity_properties: { datetime: search.datetime, product_id: product },
      order_parameters: { workspaceId },
      'service:price': { credits: totalCredits, aud: totalAud },
    },
    links: orderLinks(id, urls),
  }
}

const orderLinks = (id: string, urls: StapiUrls): StapiLinkObject[] => [
  createStapiLink('self', urls.order(id), stapiGeojsonMediaType),
  createStapiLink('monitor', `${urls.order(id)}/statuses`),
]

export const toStapiOrderCollection = (
  orders: readonly Order[],
  urls: StapiUrls,
  page: { readonly total: number; readonly links: readonly StapiLinkObject[] },
) => ({
  type: 'FeatureCollection',
  stapi_type: 'OrderCollection',
  stapi_version: stapiVersion,
  features: orders.map((order) => toStapiOrder(order, urls)),
  numberMatched: page.total,
  links: [createStapiLink('self', urls.orders, stapiGeojsonMediaType), ...page.links],
})

function toStatus(order: Order, urls: StapiUrls): StapiStatusObject {
  const change = order.statusHistory.at(-1)
  const cause = { reason_code: change?.reason_code ?? null, actor: change?.actor ?? null }
  return {
    timestamp: order.updatedAt,
    status_code: findCurrentStapiStatus(order.status, order.subStatus, cause),
    reason_code: order.failureReason?.code ?? cause.reason_code,
    reason_text: order.failureReason?.text ?? change?.reason_text ?? null,
    links: deliveryLinks(order, urls),
  }
}

/** The delivered scenes as STAC Items. */
const deliveryLinks = ({ collectionId, itemCount }: Order, { base }: StapiUrls): StapiLinkObject[] =>
  collectionId === null || itemCount === 0
    ? []
    : [createStapiLink('items', `${base}/assets/stac/collections/${collectionId}/items`, stapiGeojsonMediaType)]

function toFilter(tasking: NonNullable<Order['tasking']>): unknown {
  const comparisons: unknown[] = Object.entries(stapiQueryables).flatMap(([property, { parameter, bound }]) => {
    const value = tasking[parameter]
    return value === null ? [] : [{ op: bound, args: [{ property }, value] }]
  })
  if (tasking.sensor !== null) comparisons.push({ op: '=', args: [{ property: 'sensor' }, tasking.sensor] })
  return comparisons.length > 1 ? { op: 'and', args: comparisons } : (comparisons[0] ?? null)
}

/** The statuses of an order, oldest first; deliveries and steps that STAPI does not distinguish are left out. */
export function listStapiStatuses({ entries }: OrderTimeline): StapiStatusObject[] {
  const changes = entries.filter(({ kind }) => kind !== 'delivery')
  return changes.filter((entry, index) => isNews(entry, changes[index - 1])).map(toStatusObject)
}

const isNews = (entry: OrderTimelineEntry, previous: OrderTimelineEntry | undefined): boolean =>
  entry.stapi_status !== previous?.stapi_status || entry.reason_code !== previous.reason_code

const toStatusObject = ({ at, stapi_status, reason_code, reason_text }: OrderTimelineEntry): StapiStatusObject => ({
  timestamp: at,
  status_code: stapi_status,
  reason_code,
  reason_text,
  links: [],
})
