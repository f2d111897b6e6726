import { adminDataProductsVersionsRejectOperation } from '@swath/contract/operations/admin.data_products.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleProductVersion } from '../product-versions.ts'

export const handler = defineHandler(adminDataProductsVersionsRejectOperation, (call, input) =>
  settleProductVersion(call, input, 'rejected'),
)
