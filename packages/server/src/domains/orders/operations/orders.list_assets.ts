import { ordersListAssetsOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createDeliveryManifest } from '../../items/assets/manifest.ts'
import { requireOrder } from '../access.ts'

export const handler = defineHandler(ordersListAssetsOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'read')
  const features = await createDeliveryManifest(call, order.id)
  return {
    type: 'FeatureCollection' as const,
    order_id: order.id,
    collection_id: order.collection_id,
    project_id: order.project_id,
    item_count: features.length,
    features,
  }
})
