import { adminUsersSetRolesOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requestRoleChange, toRoleChange } from '../users/role-changes.ts'

export const handler = defineHandler(
  adminUsersSetRolesOperation,
  async (call, { user_id, reason, operator = null, clip_user = null }) =>
    toRoleChange(await requestRoleChange(call, { user_id, operator, clip_user, reason })),
)
