import { adminDataProductsVersionsCreateOperation } from '@swath/contract/operations/admin.data_products.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requestProductVersion, toProductVersions } from '../product-versions.ts'

export const handler = defineHandler(adminDataProductsVersionsCreateOperation, async (call, input) => {
  const [version] = await toProductVersions(call, [await requestProductVersion(call, input)])
  return version!
})
