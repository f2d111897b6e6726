import { usersTotpRemoveOperation } from '@swath/contract/operations/users.totp.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireConfirmation, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { removeTotp } from '../../identity/second-factor/manage-totp.ts'

export const handler = defineHandler(usersTotpRemoveOperation, async (call, confirmation) => {
  const user = await requireConfirmation(call, confirmation)
  await removeTotp(toSecondFactorDependencies(call), user)
  return { ok: true }
})
