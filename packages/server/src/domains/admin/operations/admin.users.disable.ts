import { adminUsersDisableOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { setUserDisabled, toUserForOperator } from '../users/user-for-operator.ts'

export const handler = defineHandler(adminUsersDisableOperation, async (call, { user_id }) => {
  if (user_id.toLowerCase() === call.principal.user) throw new Problem('forbidden', 'You cannot disable yourself.')
  return toUserForOperator(call.unscoped, await setUserDisabled(call, user_id, true))
})
