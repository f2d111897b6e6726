import { usersTotpBeginOperation } from '@swath/contract/operations/users.totp.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireConfirmation, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { beginTotpSetup } from '../../identity/second-factor/manage-totp.ts'

export const handler = defineHandler(usersTotpBeginOperation, async (call, confirmation) => {
  const user = await requireConfirmation(call, confirmation)
  const { expires_at, ...setup } = await beginTotpSetup(toSecondFactorDependencies(call), user)
  return { ...setup, expires_at: expires_at.toISOString() }
})
