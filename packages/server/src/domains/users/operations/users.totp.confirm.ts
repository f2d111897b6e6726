import { usersTotpConfirmOperation } from '@swath/contract/operations/users.totp.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listCurrentSessions, readOwnUser, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { confirmTotp } from '../../identity/second-factor/manage-totp.ts'
import { updateSessionMethods } from '../../identity/second-factor/store.second-factors.ts'

export const handler = defineHandler(usersTotpConfirmOperation, async (call, { otp: code }) => {
  const user = await readOwnUser(call)
  const sessions = await listCurrentSessions(call)
  const recovery_codes = await confirmTotp(toSecondFactorDependencies(call), user, {
    code,
    address: call.rateLimitKey,
    // The session has just proven the second factor.
    also: (tx) => updateSessionMethods(tx, user.id, { sessions, methods: ['otp', 'mfa'] }),
  })
  return { recovery_codes }
})
