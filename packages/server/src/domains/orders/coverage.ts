import type { OrderCoverage } from '@swath/contract/schemas/order.ts'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../engine/call.ts'
import { roundArea_km2 } from '../catalog/price.ts'
import type { MeasuredCoveragePart, MeasuredCoverage, OrderedArea } from '../vectors/vector-worker/measure-coverage.ts'
import { getCallerVectorJobRunner } from '../vectors/vector-worker/vector-worker.ts'
import type { OrderCaptureRow } from './store.ts'

/** An ordered capture, or the part of it that was ordered. */
export const toOrderedArea = ({ geometry, scene, delivered_at }: OrderCaptureRow): OrderedArea => ({
  area: geometry as AreaGeometry,
  footprint: scene.geometry as AreaGeometry,
  isDelivered: delivered_at !== null,
})

/**
 * Measures the delivered and the missing part of each list of areas. Throws `budget-exceeded` if that takes too long.
 */
export async function measureOrderedAreas(
  call: Pick<Call, 'principal' | 'processServices' | 'signal'>,
  lists: readonly (readonly OrderedArea[])[],
): Promise<Pick<OrderCoverage, 'covered' | 'remainder'>[]> {
  return (await getCallerVectorJobRunner(call).measureCoverage(lists, call.signal)).map(toCoverage)
}

function toCoverage({ covered, remainder }: MeasuredCoverage): Pick<OrderCoverage, 'covered' | 'remainder'> {
  const total_km2 = covered.km2 + remainder.km2
  const toPart = ({ km2, geometry }: MeasuredCoveragePart) => ({
    sqKmArea: roundArea_km2(km2),
    percentage: total_km2 === 0 ? 0 : Math.min(1, km2 / total_km2) * 100,
    geometry: geometry as Geometry | null,
  })
  return { covered: toPart(covered), remainder: toPart(remainder) }
}
