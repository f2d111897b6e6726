import { organizationsSupportAccessGrantOperation } from '@swath/contract/operations/organizations.support_access.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { grantSupportAccess, supportTime, toSupportAccess } from '../support-access/support-access.ts'

export const handler = defineHandler(
  organizationsSupportAccessGrantOperation,
  async (call, { access_id, hours = null }) => {
    const row = await call.transaction((tx) => grantSupportAccess(tx, call, access_id, hours))
    return toSupportAccess(row, supportTime(call))
  },
)
