import { organizationsSupportAccessRefuseOperation } from '@swath/contract/operations/organizations.support_access.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { refuseSupportAccess, supportTime, toSupportAccess } from '../support-access/support-access.ts'

export const handler = defineHandler(organizationsSupportAccessRefuseOperation, async (call, { access_id }) => {
  const row = await call.transaction((tx) => refuseSupportAccess(tx, call, access_id))
  return toSupportAccess(row, supportTime(call))
})
