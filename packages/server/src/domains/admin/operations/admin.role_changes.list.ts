import { adminRoleChangesListOperation } from '@swath/contract/operations/admin.role_changes.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toRoleChange } from '../users/role-changes.ts'
import { listRoleChanges } from '../users/store.role-changes.ts'

export const handler = defineHandler(adminRoleChangesListOperation, async (call, input) => {
  const { user_id: user = null, status = null, limit, offset } = input
  const { rows, total } = await listRoleChanges(call.unscoped, { user, status, limit, offset })
  return toListPage('role_changes', { rows: rows.map(toRoleChange), total }, input)
})
