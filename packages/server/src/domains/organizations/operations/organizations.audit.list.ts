import { organizationsAuditListOperation } from '@swath/contract/operations/organizations.audit.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listAuditPage } from '../../audit-trail/list-page.ts'
import { requireOrganizationAdmin } from '../membership.ts'

export const listOrganizationAudit = defineHandler(organizationsAuditListOperation, async (call, input) => {
  await requireOrganizationAdmin(call)
  return listAuditPage(call, call.organization, { db: call.db, input })
})
