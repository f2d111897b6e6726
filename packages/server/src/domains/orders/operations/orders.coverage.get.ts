import { ordersCoverageGetOperation } from '@swath/contract/operations/orders.ts'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { roundArea } from '../../catalog/price.ts'
import type { CoveragePart } from '../../vectors/vector-worker/measure-coverage.ts'
import { vectorWorkOf } from '../../vectors/vector-worker/vector-worker.ts'
import { requireOrder } from '../access.ts'
import { listOrderCaptures } from '../store.ts'

export const getOrderCoverage = defineHandler(ordersCoverageGetOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'read')
  const captures = await listOrderCaptures(call.db, call.organization, order.id)
  const areas = captures.map(({ geometry, scene, delivered_at }) => ({
    area: geometry as AreaGeometry,
    footprint: scene.geometry as AreaGeometry,
    isDelivered: delivered_at !== null,
  }))
  const { covered, remainder } = await vectorWorkOf(call).measureCoverage(areas, call.signal)
  const total_km2 = covered.km2 + remainder.km2
  const toPart = ({ km2, geometry }: CoveragePart) => ({
    sqKmArea: roundArea(km2),
    percentage: total_km2 === 0 ? 0 : Math.min(100, (100 * km2) / total_km2),
    geometry: geometry as Geometry | null,
  })
  return { order_id: order.id, covered: toPart(covered), remainder: toPart(remainder) }
})
