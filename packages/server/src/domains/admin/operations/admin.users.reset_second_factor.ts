import { adminUsersResetSecondFactorOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resetSecondFactor } from '../reset-second-factor.ts'
import { toUserForOperator } from '../users/user-for-operator.ts'

export const handler = defineHandler(adminUsersResetSecondFactorOperation, async (call, { user_id }) =>
  toUserForOperator(call.unscoped, await resetSecondFactor(call, user_id)),
)
