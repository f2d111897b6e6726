import { adminDataProductsVersionsApproveOperation } from '@swath/contract/operations/admin.data_products.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { decideProductVersion } from '../product-versions.ts'

export const handler = defineHandler(adminDataProductsVersionsApproveOperation, (call, input) =>
  decideProductVersion(call, input, 'approved'),
)
