import { usersPasskeysRegisterFinishOperation } from '@swath/contract/operations/users.passkeys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listCurrentSessions, readOwnUser, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { finishPasskeyRegistration, methodsOfPasskey, toPasskey } from '../../identity/passkeys/passkeys.ts'
import { requireRelyingParty } from '../../identity/passkeys/relying-party.ts'
import { updateSessionMethods } from '../../identity/second-factor/store.second-factors.ts'

export const handler = defineHandler(usersPasskeysRegisterFinishOperation, async (call, { credential, name }) => {
  const party = requireRelyingParty(call.baseUrl)
  const user = await readOwnUser(call)
  const sessions = await listCurrentSessions(call)
  const registered = await finishPasskeyRegistration(toSecondFactorDependencies(call), party, user, {
    credential,
    name,
    // The session has just proven the passkey.
    also: (tx, passkey) => updateSessionMethods(tx, user.id, { sessions, methods: methodsOfPasskey(passkey) }),
  })
  return { passkey: toPasskey(registered.passkey), recovery_codes: registered.recovery_codes }
})
