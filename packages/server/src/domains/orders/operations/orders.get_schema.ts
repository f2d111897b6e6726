import { ordersGetSchemaOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireDataProduct } from '../../glossary/find-data-product.ts'
import { toOrderParamsSchema } from '../../glossary/params-schema.ts'
import { findCaptureCancelPolicy } from '../cancel-policy.ts'
import { findOfferedTaskingProduct } from '../products/tasking-features.ts'
import { describeTaskingCancelPolicy, toTaskingParamsSchema } from '../tasking/tasking-products.ts'

export const handler = defineHandler(ordersGetSchemaOperation, async (call, { data_product_id }) => {
  const offer = await findOfferedTaskingProduct(call, data_product_id)
  if (offer)
    return {
      data_product_id: offer.id,
      schema: { ...toTaskingParamsSchema(offer.product.sensors, offer.params), title: offer.product.title },
      cancel_policy: describeTaskingCancelPolicy(offer.product),
    }
  const product = await requireDataProduct(call, data_product_id)
  return {
    data_product_id: product.id,
    schema: { ...toOrderParamsSchema(product) },
    cancel_policy: findCaptureCancelPolicy(product),
  }
})
