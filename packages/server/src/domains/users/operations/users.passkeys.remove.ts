import { usersPasskeysRemoveOperation } from '@swath/contract/operations/users.passkeys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireConfirmation, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { removePasskey, requireOwnPasskey } from '../../identity/passkeys/passkeys.ts'

export const handler = defineHandler(usersPasskeysRemoveOperation, async (call, { passkey_id, ...confirmation }) => {
  await requireOwnPasskey(call.unscoped, call.principal.id, passkey_id)
  const user = await requireConfirmation(call, confirmation)
  await removePasskey(toSecondFactorDependencies(call), user, passkey_id)
  return { ok: true }
})
