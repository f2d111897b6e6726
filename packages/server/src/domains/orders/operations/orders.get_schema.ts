import { ordersGetSchemaOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireDataProduct } from '../../glossary/find-data-product.ts'
import { toParamsSchema } from '../../glossary/params-schema.ts'
import { captureCancelPolicy } from '../cancel-policy.ts'

export const getProductSchema = defineHandler(ordersGetSchemaOperation, async (call, { data_product_id }) => {
  const product = await requireDataProduct(call, data_product_id)
  return {
    data_product_id: product.id,
    schema: { ...toParamsSchema(product) },
    cancel_policy: captureCancelPolicy(product),
  }
})
