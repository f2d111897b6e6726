import { orderLifecycle } from '@swath/contract/lifecycles.ts'
import { ordersGetSchemaOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireDataProduct } from '../../glossary/find-data-product.ts'
import { toParamsSchema } from '../../glossary/params-schema.ts'

export const getProductSchema = defineHandler(ordersGetSchemaOperation, async (call, { data_product_id }) => {
  const product = await requireDataProduct(call, data_product_id)
  return { data_product_id: product.id, schema: { ...toParamsSchema(product) }, cancel_policy: archiveCancelPolicy }
})

/** The first state in which an archive order cannot be cancelled; before it, cancelling costs nothing. */
const archiveCancelPolicy = {
  cancellable_until: orderLifecycle.states.find((state) => !orderLifecycle.transitions.cancel.from?.includes(state))!,
  fee_pct: 0,
}
