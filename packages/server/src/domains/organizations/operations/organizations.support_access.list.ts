import { organizationsSupportAccessListOperation } from '@swath/contract/operations/organizations.support_access.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listSupportAccesses } from '../support-access/store.support-access.ts'
import { supportTime, toSupportAccess } from '../support-access/support-access.ts'

export const handler = defineHandler(organizationsSupportAccessListOperation, async (call, input) => {
  const { state = null, limit, offset } = input
  const at = supportTime(call)
  const { rows, total } = await listSupportAccesses(call.db, {
    organization: call.organization,
    state,
    at,
    limit,
    offset,
  })
  return toListPage('support_accesses', { rows: rows.map((row) => toSupportAccess(row, at)), total }, input)
})
