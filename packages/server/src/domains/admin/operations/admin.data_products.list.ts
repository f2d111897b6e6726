import { adminDataProductsListOperation } from '@swath/contract/operations/admin.data_products.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listProductsForOperators } from '../product-versions.ts'

export const handler = defineHandler(adminDataProductsListOperation, async (call, input) => {
  const products = await listProductsForOperators(call)
  const rows = products.slice(input.offset, input.offset + input.limit)
  return toListPage('data_products', { rows, total: products.length }, input)
})
