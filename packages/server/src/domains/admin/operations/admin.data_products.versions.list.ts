import { adminDataProductsVersionsListOperation } from '@swath/contract/operations/admin.data_products.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listProductVersions } from '../../rate-cards/store.product-versions.ts'
import { toProductVersions } from '../product-versions.ts'

export const handler = defineHandler(adminDataProductsVersionsListOperation, async (call, input) => {
  const { data_product_name: product = null, status = null, limit, offset } = input
  const { rows, total } = await listProductVersions(call.unscoped, { product, status, limit, offset })
  return toListPage('versions', { rows: await toProductVersions(call, rows), total }, input)
})
