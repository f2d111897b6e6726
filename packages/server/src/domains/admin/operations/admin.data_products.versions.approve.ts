import { adminDataProductsVersionsApproveOperation } from '@swath/contract/operations/admin.data_products.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleProductVersion } from '../product-versions.ts'

export const handler = defineHandler(adminDataProductsVersionsApproveOperation, (call, input) =>
  settleProductVersion(call, input, 'approved'),
)
