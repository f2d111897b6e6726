import type { Tx } from '../../../platform/database/database.ts'
import type { QueueProducer } from '../../../platform/queue/queue.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { markUserSessionsRevoked } from '../store.sessions.ts'
import { enqueueAccountMail } from './account-mails.ts'
import { markAccountLinksUsed } from './store.account-mails.ts'
import { markOpenEmailChangesUndone } from './store.email-changes.ts'

export interface PasswordChangeEnd {
  readonly user: { readonly id: string; readonly email: string; readonly password_temporary: boolean }
  /** The sessions that go on. */
  readonly kept_sessions: readonly string[]
  readonly at: Date
}

/**
 * What follows from another password, in the transaction that stores it: sessions end, links that somebody else may have asked for are
 * useless, and the user is told. Who replaces a one-time password is not told. Returns how many sessions ended.
 */
export async function finishPasswordChange(
  tx: Tx,
  queue: Pick<QueueProducer, 'enqueue'>,
  { user: { id, email, password_temporary }, kept_sessions, at }: PasswordChangeEnd,
): Promise<number> {
  const ended = await markUserSessionsRevoked(tx, id, { kept: kept_sessions, reason: 'password-changed', now: at })
  await markAccountLinksUsed(tx, id, 'password-reset', at)
  await markOpenEmailChangesUndone(tx, id, at)
  await publishPrincipalChange(tx, `user:${id}`)
  if (!password_temporary) await enqueueAccountMail(tx, queue, { kind: 'password-changed', user: id, email, at })
  return ended
}
