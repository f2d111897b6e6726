import { adminAuditListOperation } from '@swath/contract/operations/admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { platformOrganization } from '../../audit-trail/entry.ts'
import { listAuditPage } from '../../audit-trail/list-page.ts'

export const handler = defineHandler(adminAuditListOperation, (call, input) =>
  listAuditPage(call, input.organization_id ?? platformOrganization, { db: call.unscoped, input }),
)
