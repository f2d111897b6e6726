import { usersRecoveryCodesRegenerateOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { readAccountTime, requireConfirmation } from '../../identity/account/confirm.ts'
import { replaceRecoveryCodes } from '../../identity/second-factor/recovery-codes.ts'

export const handler = defineHandler(usersRecoveryCodesRegenerateOperation, async (call, confirmation) => {
  const user = await requireConfirmation(call, confirmation)
  if (!user.has_totp && !user.has_passkey)
    throw new Problem('invalid-state', 'You have no second factor that recovery codes could replace.')
  const at = readAccountTime(call)
  return { recovery_codes: await call.unscoped.transaction((tx) => replaceRecoveryCodes(tx, user.id, at)) }
})
