import { adminUsersEnableOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { setUserDisabled, toOperatedUser } from '../operated-user.ts'

export const handler = defineHandler(adminUsersEnableOperation, async (call, { user_id }) =>
  toOperatedUser(call.unscoped, await setUserDisabled(call, user_id, false)),
)
