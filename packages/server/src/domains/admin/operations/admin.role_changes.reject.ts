import { adminRoleChangesRejectOperation } from '@swath/contract/operations/admin.role_changes.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { rejectRoleChange, toRoleChange } from '../users/role-changes.ts'

export const handler = defineHandler(adminRoleChangesRejectOperation, async (call, input) =>
  toRoleChange(await rejectRoleChange(call, input)),
)
