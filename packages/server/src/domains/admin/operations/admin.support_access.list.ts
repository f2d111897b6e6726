import { adminSupportAccessListOperation } from '@swath/contract/operations/admin.support_access.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listSupportAccesses } from '../../organizations/support-access/store.support-access.ts'
import { supportTime, toSupportAccess } from '../../organizations/support-access/support-access.ts'

export const handler = defineHandler(adminSupportAccessListOperation, async (call, input) => {
  const { organization_id: organization = null, state = null, limit, offset } = input
  const at = supportTime(call)
  const { rows, total } = await listSupportAccesses(call.unscoped, { organization, state, at, limit, offset })
  return toListPage('support_accesses', { rows: rows.map((row) => toSupportAccess(row, at)), total }, input)
})
