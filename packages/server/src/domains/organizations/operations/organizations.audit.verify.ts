import { organizationsAuditVerifyOperation } from '@swath/contract/operations/organizations.audit.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { verifyAuditTrail } from '../../audit-trail/verify.ts'
import { requireOrganizationAdmin } from '../membership.ts'

export const verifyOrganizationAudit = defineHandler(organizationsAuditVerifyOperation, async (call) => {
  await requireOrganizationAdmin(call)
  const { faults, ...verification } = await verifyAuditTrail(call.db, call.organization, call.signal)
  return { organization_id: call.organization, ...verification, faults: [...faults] }
})
