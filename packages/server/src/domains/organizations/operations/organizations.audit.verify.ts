import { organizationsAuditVerifyOperation } from '@swath/contract/operations/organizations.audit.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { verifyAuditTrail } from '../../audit-trail/verify.ts'

export const handler = defineHandler(organizationsAuditVerifyOperation, async (call) => {
  const { faults, ...verification } = await verifyAuditTrail(call.db, call.organization, call.signal)
  return { organization_id: call.organization, ...verification, faults: [...faults] }
})
