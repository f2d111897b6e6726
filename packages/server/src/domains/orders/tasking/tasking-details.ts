import type { Order } from '@swath/contract/schemas/order.ts'
import type { Area } from '@swath/contract/schemas/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import type { OrderRow } from '../store.ts'
import { listTaskingOrderAreas, type TaskingOrderAreaRow } from './store.order-areas.ts'

/** The acquisitions of the tasking orders among some orders, by order; with the areas if requested. */
export async function readTaskingDetails(
  call: Pick<Call, 'db' | 'organization'>,
  orders: readonly OrderRow[],
  withGeometry: boolean,
): Promise<Map<string, Order['tasking']>> {
  const ids = orders.filter(({ type }) => type === 'tasking').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const groups = await listTaskingOrderAreas(call.db, call.organization, ids)
  const byOrder = Map.groupBy(groups, ({ order_id }) => order_id)
  return new Map([...byOrder].map(([id, members]) => [id, toDetails(members, withGeometry)]))
}

function toDetails(groups: readonly TaskingOrderAreaRow[], withGeometry: boolean): Order['tasking'] {
  const all = groups.map(({ constraints }) => constraints)
  const [first] = all
  return {
    acquisitionStart: all.map(({ from }) => from).toSorted()[0]!,
    acquisitionEnd: all
      .map(({ to }) => to)
      .toSorted()
      .at(-1)!,
    sensor: first!.sensor,
    maxCloudCover: first!.max_cloud_pct,
    maxOffNadirAngle: first!.max_off_nadir_deg,
    minSunElevation: first!.min_sun_elevation_deg,
    replan: all.some(({ replan }) => replan),
    areaCount: groups.length,
    passes: groups.flatMap(toPasses).toSorted((left, right) => (left.at < right.at ? -1 : 1)),
    ...(withGeometry ? { geometry: mergeAreas(groups) } : {}),
  }
}

type TaskPass = NonNullable<Order['tasking']>['passes'][number]

/** The passes of an area as the host has planned them; before, the one that the order was placed for. */
function toPasses({ position, collects, planned_at, ended_at }: TaskingOrderAreaRow): TaskPass[] {
  if (collects.length > 0)
    return collects.map(({ at, satellite, cloud_pct, accepted }) => ({
      area: position,
      at,
      satellite,
      cloudCover: cloud_pct,
      accepted,
    }))
  if (planned_at === null || ended_at !== null) return []
  return [{ area: position, at: planned_at.toISOString(), satellite: null, cloudCover: null, accepted: null }]
}

/** One area as it was ordered; several as a MultiPolygon. */
function mergeAreas(groups: readonly TaskingOrderAreaRow[]): Area {
  if (groups.length === 1) return groups[0]!.geometry as unknown as Area
  const coordinates = groups.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : [geometry.coordinates],
  )
  return { type: 'MultiPolygon', coordinates } as unknown as Area
}
