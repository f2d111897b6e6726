import { organizationsSupportAccessEndOperation } from '@swath/contract/operations/organizations.support_access.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import {
  endSupportAccess,
  supportTime,
  toSupportAccess,
  toSupportAccessSubject,
} from '../support-access/support-access.ts'

export const handler = defineHandler(organizationsSupportAccessEndOperation, async (call, { access_id }) => {
  // Unscoped, because every process must be notified of tokens that end.
  const row = await call.unscoped.transaction(async (tx) => {
    await publishPrincipalChange(tx, toSupportAccessSubject(access_id.toLowerCase()))
    return endSupportAccess(tx, call, access_id, null)
  })
  return toSupportAccess(row, supportTime(call))
})
