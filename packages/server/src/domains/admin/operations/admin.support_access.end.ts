import { adminSupportAccessEndOperation } from '@swath/contract/operations/admin.support_access.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import {
  endSupportAccess,
  supportTime,
  toSupportAccess,
  toSupportAccessSubject,
} from '../../organizations/support-access/support-access.ts'

export const handler = defineHandler(adminSupportAccessEndOperation, async (call, { organization_id, access_id }) => {
  const actor = await toActorInOrganization(call, organization_id)
  const row = await call.unscoped.transaction(async (tx) => {
    await publishPrincipalChange(tx, toSupportAccessSubject(access_id.toLowerCase()))
    return endSupportAccess(tx, actor, access_id, call.principal.id)
  })
  return toSupportAccess(row, supportTime(call))
})
