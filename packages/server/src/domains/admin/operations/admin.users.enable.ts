import { adminUsersEnableOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { setUserDisabled, toUserForOperator } from '../users/user-for-operator.ts'

export const handler = defineHandler(adminUsersEnableOperation, async (call, { user_id }) =>
  toUserForOperator(call.unscoped, await setUserDisabled(call, user_id, false)),
)
