import { adminAuditListOperation } from '@swath/contract/operations/admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { platformOrganizationId } from '../../audit-trail/entry.ts'
import { listAuditPage } from '../../audit-trail/list-page.ts'

export const handler = defineHandler(adminAuditListOperation, (call, input) =>
  listAuditPage(call, input.organization_id ?? platformOrganizationId, { db: call.unscoped, input }),
)
