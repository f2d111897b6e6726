import { usersPasskeysRegisterBeginOperation } from '@swath/contract/operations/users.passkeys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireConfirmation, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { beginPasskeyRegistration } from '../../identity/passkeys/passkeys.ts'
import { requireRelyingParty } from '../../identity/passkeys/relying-party.ts'

export const handler = defineHandler(usersPasskeysRegisterBeginOperation, async (call, confirmation) => {
  const party = requireRelyingParty(call.baseUrl)
  const user = await requireConfirmation(call, confirmation)
  const { options, expires_at } = await beginPasskeyRegistration(toSecondFactorDependencies(call), party, user)
  return { options: { ...options }, expires_at: expires_at.toISOString() }
})
