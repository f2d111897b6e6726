import { adminSupportAccessRequestOperation } from '@swath/contract/operations/admin.support_access.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import {
  requestSupportAccess,
  supportTime,
  toSupportAccess,
} from '../../organizations/support-access/support-access.ts'

export const handler = defineHandler(
  adminSupportAccessRequestOperation,
  async (call, { organization_id, ...input }) => {
    const actor = await toActorInOrganization(call, organization_id)
    const row = await call.unscoped.transaction((tx) => requestSupportAccess(tx, actor, input))
    return toSupportAccess(row, supportTime(call))
  },
)
