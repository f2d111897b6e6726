import type { Order } from '@swath/contract/schemas/order.ts'
import { jsonValueOf, type Representation, type ToRepresentation } from './representation.ts'

/** An order with the members of the resource-style routes, beside its own. */
export const toOrderResource: ToRepresentation = (result) => jsonOf(addResourceMembers(jsonValueOf(result) as Order))

/** A page of orders. */
export const toOrderResources: ToRepresentation = (result) => {
  const page = jsonValueOf(result) as { readonly content: readonly Order[] }
  return jsonOf({ ...page, content: page.content.map(addResourceMembers) })
}

const jsonOf = (value: object): Representation => ({
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
  ...toOrderDetails(order),
})

/** Null would break clients: the member is absent from lists, whose captures have no areas. */
function toOrderDetails({ orderType, captures, subStatus, tasking }: Order) {
  if (tasking?.geometry) {
    const { acquisitionStart, acquisitionEnd, geometry, maxCloudCover } = tasking
    return { orderDetails: { acquisitionStart, acquisitionEnd, geometry, maxCloudCover, subStatus } }
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
