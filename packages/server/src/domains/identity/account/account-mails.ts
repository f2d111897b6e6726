import { limits } from '@swath/contract/limits.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { QueueProducer } from '../../../platform/queue/queue.ts'
import type { AccountMailKind } from './mail-texts.ts'
import { insertAccountMail } from './store.account-mails.ts'

/** How long the link of an e-mail is valid; how long one without a link is kept. */
const lifetimes_ms: Partial<Readonly<Record<AccountMailKind, number>>> = {
  'password-reset': limits.password_reset_seconds * 1000,
  'email-confirmation': limits.email_confirmation_seconds * 1000,
  'email-notice': limits.email_undo_days * day_ms,
}

/** The kinds with a link that has a token. */
export const linkedMailKinds: ReadonlySet<AccountMailKind> = new Set([
  'password-reset',
  'email-confirmation',
  'email-notice',
])

export interface AccountMailRequest {
  readonly kind: AccountMailKind
  /** Null for a password reset: the task finds the user of the address. */
  readonly user: string | null
  readonly email: string
  readonly subject_id?: string
  readonly details?: Readonly<Record<string, string>>
  readonly at: Date
}

/** Lets a task send an e-mail about an account, in the unscoped transaction of its cause. */
export async function enqueueAccountMail(
  tx: Tx,
  queue: Pick<QueueProducer, 'enqueue'>,
  { kind, user, email, subject_id = undefined, details = {}, at }: AccountMailRequest,
): Promise<void> {
  const id = newId()
  const expires_at = new Date(at.getTime() + (lifetimes_ms[kind] ?? day_ms))
  await insertAccountMail(tx, {
    id,
    kind,
    user_id: user,
    email,
    subject_id: subject_id ?? null,
    details,
    created_at: at,
    expires_at,
  })
  await queue.enqueue(tx, backgroundTaskTypes.sendAccountMail, { mail_id: id })
}
