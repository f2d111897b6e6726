import { Problem, validationProblem } from '../../../engine/problem.ts'
import { findPasswordError } from '../../users/password-rules.ts'
import { updateOwnPassword } from '../../users/store.ts'
import { listCurrentSessions, readOwnUser, verifyOwnPassword, type AccountCall } from './confirm.ts'
import { finishPasswordChange } from './finish-password-change.ts'

/**
 * Replaces the password of the caller; the session of the call goes on, all others end. Returns how many ended. Throws `forbidden` for a
 * wrong password, `validation` for a new one that may not be used, `invalid-state` if it was replaced at the same time, or `rate-limited`.
 */
export async function changeOwnPassword(
  call: AccountCall,
  { password, new_password }: { readonly password: string; readonly new_password: string },
): Promise<number> {
  const user = await verifyOwnPassword(call, await readOwnUser(call), password)
  const error =
    findPasswordError({ password: new_password, email: user.email }) ??
    (new_password.normalize('NFKC') === password.normalize('NFKC') ? 'The password is the one until now.' : null)
  if (error) throw validationProblem([{ path: 'new_password', message: error }])
  const after = await call.passwords.hash(new_password, call.rateLimitKey)
  const kept_sessions = await listCurrentSessions(call)
  const at = call.clocks.process.now()
  return call.unscoped.transaction(async (tx) => {
    const change = { before: user.password_hash ?? '', after }
    if (!(await updateOwnPassword(tx, user.id, change, at)))
      throw new Problem('invalid-state', 'The password was changed at the same time.')
    return finishPasswordChange(tx, call.queue, { user: { ...user, password_temporary: false }, kept_sessions, at })
  })
}
