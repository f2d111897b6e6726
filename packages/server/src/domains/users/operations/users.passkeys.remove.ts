import { usersPasskeysRemoveOperation } from '@swath/contract/operations/users.passkeys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireConfirmation, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { removePasskey } from '../../identity/passkeys/passkeys.ts'

export const handler = defineHandler(usersPasskeysRemoveOperation, async (call, { passkey_id, ...confirmation }) => {
  const user = await requireConfirmation(call, confirmation)
  await removePasskey(toSecondFactorDependencies(call), user, passkey_id)
  return { ok: true }
})
