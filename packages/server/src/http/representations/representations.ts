import type { RouteRepresentation } from '@swath/contract/routes.ts'
import {
  type RouteResponse,
  type ToRouteResponse,
  joinTextChunks,
  getResultJsonText,
  getResultJsonValue,
} from './representation.ts'
import type { CatalogFeature, CatalogSearchResult } from '@swath/contract/schemas/catalog.ts'
import { computeEntityTag } from '../../engine/entity-tag.ts'
import type { Order } from '@swath/contract/schemas/order.ts'

/** An order with the members of the resource-style routes, beside its own. */
const toOrderResource: ToRouteResponse = (result) => jsonOf(addResourceMembers(getResultJsonValue(result) as Order))

/** A page of orders. */
const toOrderResources: ToRouteResponse = (result) => {
  const page = getResultJsonValue(result) as { readonly content: readonly Order[] }
  return jsonOf({ ...page, content: page.content.map(addResourceMembers) })
}

const jsonOf = (value: object): RouteResponse => ({
  status: 200,
  media_type: 'application/json; charset=utf-8',
  headers: {},
  body: JSON.stringify(value),
})

const addResourceMembers = (order: Order) => ({
  ...order,
  type: order.orderType.toUpperCase(),
  workspaceId: order.projectId,
  accountId: order.organizationId,
  budgetId: order.projectId,
  ...toOrderDetails(order),
})

/** Null would break clients: without areas the member is absent. */
function toOrderDetails({ orderType, captures, subStatus, tasking }: Order) {
  if (tasking?.geometry) {
    const { acquisitionStart, acquisitionEnd, geometry, maxCloudCover, maxOffNadirAngle } = tasking
    const maxIncidenceAngle = maxOffNadirAngle
    return {
      orderDetails: { acquisitionStart, acquisitionEnd, geometry, maxCloudCover, maxIncidenceAngle, subStatus },
    }
  }
  const areas = captures.flatMap(({ geometry }) => (geometry ? [geometry] : []))
  if (orderType !== 'archive' || areas.length === 0 || areas.length < captures.length) return {}
  const imageId = captures.length === 1 ? captures[0]!.id : null
  return { orderDetails: { aoi: mergeAreas(areas), imageId, subStatus } }
}

/** One area as it was ordered; several different ones as a MultiPolygon. */
function mergeAreas(areas: readonly Record<string, unknown>[]): Record<string, unknown> {
  const different = [...new Map(areas.map((area) => [JSON.stringify(area), area])).values()]
  if (different.length === 1) return different[0]!
  const coordinates = different.flatMap(({ type, coordinates: positions }) =>
    type === 'MultiPolygon' ? (positions as unknown[]) : [positions],
  )
  return { type: 'MultiPolygon', coordinates }
}

/** A STAC Item with the entity tag that `If-Match` is compared with. */
const toStacItem: ToRouteResponse = (result) => {
  const text = joinTextChunks(getResultJsonText(result))
  return {
    status: result.kind === 'json' ? result.status : 200,
    media_type: 'application/geo+json; charset=utf-8',
    headers: { etag: computeEntityTag(text) },
    body: text,
  }
}

interface ItemLinks {
  readonly type: string
  readonly id: string
  readonly collection?: string | null
  readonly links: readonly { readonly rel: string; readonly href: string }[]
}

/** A created STAC Item with its Location, as the Transaction extension requires. */
const toCreatedStacItem: ToRouteResponse = (result, url): RouteResponse => {
  const representation = toStacItem(result, url)
  const { type, id, collection, links } = JSON.parse(representation.body as string) as ItemLinks
  if (type !== 'Feature') return { ...representation, headers: {} }
  const root = links.find(({ rel }) => rel === 'root')?.href ?? ''
  const location = `${root}/collections/${collection}/items/${encodeURIComponent(id)}`
  return { ...representation, headers: { ...representation.headers, location } }
}

/** 204 without a body; an Item that remains has its new entity tag. */
const toNoContent: ToRouteResponse = (result): RouteResponse => {
  const text = joinTextChunks(getResultJsonText(result))
  const { type } = JSON.parse(text) as { type?: string }
  const headers: Record<string, string> = type === 'Feature' ? { etag: computeEntityTag(text) } : {}
  return { status: 204, media_type: null, headers, body: null }
}

/**
 * Scenes with the properties that clients of the search require, and an absolute link to the next page, to which they
 * send the same body again.
 */
const toScenes: ToRouteResponse = (result, url) => {
  const { next, features, ...page } = getResultJsonValue(result) as CatalogSearchResult
  const links = [
    { rel: 'self', href: url, method: 'POST' },
    ...(next === undefined ? [] : [{ rel: 'next', href: `${url}?next=${encodeURIComponent(next)}`, method: 'POST' }]),
  ]
  return {
    status: 200,
    media_type: 'application/geo+json; charset=utf-8',
    headers: {},
    body: JSON.stringify({ ...page, features: features.map(toScene), links }),
  }
}

/** A scene of a host that states no constellation has its platform as one, or else its collection. */
const toScene = (feature: CatalogFeature) => {
  const { properties, collection = null } = feature
  const constellation = properties['constellation'] ?? properties['platform'] ?? collection
  return { ...feature, properties: { providerProperties: {}, ...properties, constellation } }
}

const envelop = (data: unknown): RouteResponse => ({
  status: 200,
  media_type: 'application/json; charset=utf-8',
  headers: {},
  body: JSON.stringify({ data, error: null }),
})

/** The rows of a page or list in the envelope of the first generation of clients. */
const toDataEnvelope: ToRouteResponse = (result) =>
  envelop(Object.values(getResultJsonValue(result) as object).find((member) => Array.isArray(member)))

/** A single resource in the same envelope. */
const toDataObjectEnvelope: ToRouteResponse = (result) => envelop(getResultJsonValue(result))

/** The bytes of an image or document with their own media type and headers. */
const toImage: ToRouteResponse = (result) => {
  if (result.kind !== 'response' || result.response.kind !== 'bytes') {
    throw new Error(`${result.operation.id} returned no bytes for a route that requires an image`)
  }
  const { body, media_type, headers } = result.response
  return { status: 200, media_type, headers, body }
}

/** 302 to the `url` of the output. The URL is signed for one caller and expires soon: it must not be cached. */
const toRedirect: ToRouteResponse = (result) => {
  const output: unknown = result.kind === 'json' ? result.output : null
  const url = typeof output === 'object' && output !== null && 'url' in output ? output.url : null
  if (typeof url !== 'string') throw new Error(`${result.operation.id} returned no URL to redirect to`)
  return { status: 302, media_type: null, headers: { location: url, 'cache-control': 'no-store' }, body: null }
}

/** The only member of the output, for clients that expect it without an envelope. */
const toOnlyMember: ToRouteResponse = (result) => ({
  status: 200,
  media_type: 'application/json; charset=utf-8',
  headers: {},
  body: JSON.stringify(Object.values(getResultJsonValue(result) as object)[0]),
})

/** The balance of the wallet as the amount that is available. */
const toBalances: ToRouteResponse = (result) => {
  const balance = getResultJsonValue(result) as { readonly available_credits: number; readonly held_credits: number }
  return jsonOf({
    ...balance,
    available: { amount: balance.available_credits },
    held: { amount: balance.held_credits },
  })
}

/** The `schema` of the output alone. */
const toJsonSchema: ToRouteResponse = (result) => ({
  status: 200,
  media_type: 'application/schema+json; charset=utf-8',
  headers: {},
  body: JSON.stringify((getResultJsonValue(result) as { schema: object }).schema),
})

/** The same document with the GeoJSON media type. */
const toGeojson: ToRouteResponse = (result) => ({
  status: result.kind === 'json' ? result.status : 200,
  media_type: 'application/geo+json; charset=utf-8',
  headers: {},
  body: getResultJsonText(result),
})

/** The representations that a route of the contract may name. WMTS responses are bytes with a media type, as images are. */
export const routeRepresentations: Readonly<Record<RouteRepresentation, ToRouteResponse>> = {
  geojson: toGeojson,
  'stac-item': toStacItem,
  created: toCreatedStacItem,
  'no-content': toNoContent,
  image: toImage,
  redirect: toRedirect,
  wmts: toImage,
  'json-schema': toJsonSchema,
  scenes: toScenes,
  data: toDataEnvelope,
  'data-object': toDataObjectEnvelope,
  'order-resource': toOrderResource,
  'order-resources': toOrderResources,
  'only-member': toOnlyMember,
  balances: toBalances,
}
