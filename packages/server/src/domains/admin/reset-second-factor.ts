import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { readAccountTime } from '../identity/account/confirm.ts'
import { enqueueAccountMail } from '../identity/account/account-mails.ts'
import { lockUser } from '../identity/memberships/store.memberships.ts'
import { deletePasskeysOfUser } from '../identity/passkeys/store.passkeys.ts'
import { publishPrincipalChange } from '../identity/principal-changes.ts'
import { deleteRecoveryCodes, deleteTotp } from '../identity/second-factor/store.second-factors.ts'
import { markUserSessionsRevoked } from '../identity/store.sessions.ts'
import type { UserForOperatorRow } from '../users/store.for-operators.ts'
import { requireUserForOperator } from './users/user-for-operator.ts'

/**
 * Removes the second factor of a user who has lost it, ends all sessions and tells the user by e-mail. Throws `not-found`, or
 * `invalid-state` for a user who has none.
 */
export async function resetSecondFactor(call: Call, user_id: string): Promise<UserForOperatorRow> {
  const user = await requireUserForOperator(call, user_id)
  const at = readAccountTime(call)
  await call.unscoped.transaction(async (tx) => {
    await lockUser(tx, user.id)
    const hadApp = await deleteTotp(tx, user.id)
    const passkeys = await deletePasskeysOfUser(tx, user.id)
    if (!hadApp && passkeys === 0) throw new Problem('invalid-state', 'The user has no second factor.')
    await deleteRecoveryCodes(tx, user.id)
    await markUserSessionsRevoked(tx, user.id, { kept: [], reason: 'second-factor-reset', now: at })
    await publishPrincipalChange(tx, `user:${user.id}`)
    await enqueueAccountMail(tx, call.queue, { kind: 'second-factor-reset', user: user.id, email: user.email, at })
  })
  return user
}
