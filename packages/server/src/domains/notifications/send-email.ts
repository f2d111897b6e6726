import { publicUrlKey } from '../../engine/process-services.ts'
import { unsubscribeLinksKey } from './unsubscribe-links.ts'
import { minute_ms } from '@swath/geo/time-units.ts'
import type { TaskContext } from '../../engine/task.ts'
import { processTimeOf, shiftTime } from '../../platform/clock.ts'
import { MailFailure } from '../../platform/integrations/mail/mailer.ts'
import { isUserDisabled } from '../identity/user-principal.ts'
import { findOrganization } from '../organizations/store.ts'
import { composeEmail } from './compose-email.ts'
import { readAttachments } from './read-attachments.ts'
import {
  claimEmail,
  markEmailFinished,
  listMailedNotifications,
  markEmailPostponed,
  type EmailResult,
  type EmailRow,
  type MailedNotification,
} from './store.emails.ts'
import { findRecipientAddress, listStillReadable } from './store.recipients.ts'

/** Longer than an attempt takes. */
const lease_ms = 5 * minute_ms
/** Before the second attempt; doubled before each further one. */
const first_delay_ms = minute_ms
/** The last one is made about four hours after the first. */
const max_attempts = 9

/**
 * Makes one attempt at an e-mail, outside of any transaction. A process that is killed between sending and recording sends it again
 * after the lease, with the same Message-ID.
 */
export async function sendEmail(context: TaskContext, organization: string, id: string): Promise<void> {
  const db = context.database.forOrganization(organization)
  const clock = context.clock.forOrganization(organization)
  const now = clock.now()
  const lease = { now: processTimeOf(clock.process), until: processTimeOf(clock.process, lease_ms) }
  const email = await claimEmail(db, organization, id, { now, next_attempt_at: shiftTime(now, lease_ms), lease })
  if (!email) return
  try {
    const result = await attempt(context, organization, email)
    await markEmailFinished(db, organization, email, { ...result, finished_at: clock.now() })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    const isLast = error.isPermanent || email.attempts >= max_attempts
    const next_attempt_at = shiftTime(clock.now(), first_delay_ms * 2 ** (email.attempts - 1))
    const failed = { state: 'failed', recipient: null, error: error.message, finished_at: clock.now() } as const
    if (isLast) await markEmailFinished(db, organization, email, failed)
    else await markEmailPostponed(db, organization, email, { error: error.message, next_attempt_at })
  }
}

type AttemptResult = Omit<EmailResult, 'finished_at'>

const cancelled: AttemptResult = { state: 'cancelled', recipient: null, error: null }

/** Sends the e-mail to the current address of the member; cancelled for a disabled one, or without news. */
async function attempt(context: TaskContext, organization: string, email: EmailRow): Promise<AttemptResult> {
  const db = context.database.forOrganization(organization)
  const address = await findRecipientAddress(db, organization, email.user_id)
  const notifications = await listOpenNotifications(context, organization, email)
  if (!address || notifications.length === 0) return cancelled
  if (await isUserDisabled(context.database, email.user_id)) return cancelled
  const publicUrl = context.processServices.get(publicUrlKey)
  const unsubscribeLinks = context.processServices.get(unsubscribeLinksKey)
  const message = composeEmail({
    id: email.id,
    to: { name: address.name, address: address.email },
    date: email.created_at,
    notifications,
    publicUrl,
    organization_name: (await findOrganization(db, organization))?.name ?? '',
    attachments: await readAttachments(context.blobs, email.attachments),
    unsubscribe_url: unsubscribeLinks.urlOf({ organization, user: email.user_id, kind: email.kind }),
  })
  await context.integrations.mail.send(message)
  return { state: 'sent', recipient: address.email, error: null }
}

/** A daily e-mail has only what the member has not read. */
async function listOpenNotifications(
  { database }: TaskContext,
  organization: string,
  { id, user_id, kind }: EmailRow,
): Promise<MailedNotification[]> {
  const db = database.forOrganization(organization)
  const rows = await listMailedNotifications(db, organization, id)
  const readable = await listStillReadable(
    db,
    organization,
    user_id,
    rows.map((row) => row.id),
  )
  return rows.filter((row) => readable.includes(row.id) && !(kind === 'digest' && row.is_closed))
}
