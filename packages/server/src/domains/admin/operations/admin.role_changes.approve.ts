import { adminRoleChangesApproveOperation } from '@swath/contract/operations/admin.role_changes.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { approveRoleChange, toRoleChange } from '../users/role-changes.ts'

export const handler = defineHandler(adminRoleChangesApproveOperation, async (call, input) =>
  toRoleChange(await approveRoleChange(call, input)),
)
