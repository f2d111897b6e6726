import { organizationsAuditListOperation } from '@swath/contract/operations/organizations.audit.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listAuditPage } from '../../audit-trail/list-page.ts'

export const handler = defineHandler(organizationsAuditListOperation, async (call, input) => {
  return listAuditPage(call, call.organization, { db: call.db, input })
})
