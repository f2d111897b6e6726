import { adminDataProductsVersionsRejectOperation } from '@swath/contract/operations/admin.data_products.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleVersion } from '../effective-versions.ts'
import { productVersionKind, toProductVersions } from '../product-versions.ts'

export const rejectProductVersion = defineHandler(
  adminDataProductsVersionsRejectOperation,
  async (call, { version_id: id, reason }) => {
    const decided = await settleVersion(call, productVersionKind, { id, reason, status: 'rejected' })
    const [version] = await toProductVersions(call, [decided])
    return version!
  },
)
