import { publicUrlServiceKey } from '../../engine/process-services.ts'
import { unsubscribeLinksServiceKey } from './unsubscribe-links.ts'
import { minute_ms } from '@swath/geo/time-units.ts'
import type { TaskContext } from '../../engine/task.ts'
import { toProcessClockTime, shiftTime } from '../../platform/clock.ts'
import { type MailAttachment, MailFailure, type MailMessage } from '../../platform/integrations/mail/mailer.ts'
import { isUserDisabled } from '../identity/user-principal.ts'
import { findOrganization } from '../organizations/store.ts'
import {
  type EmailAttachment,
  type EmailAttemptResult,
  type NotificationEmailRow,
  type MailedNotification,
  claimNotificationEmail,
  listMailedNotifications,
  markEmailAttemptFinished,
  markEmailPostponed,
} from './store.emails.ts'
import { findRecipientAddress, listStillReadableNotifications } from './store.recipients.ts'
import { BlobNotFound, type BlobStore } from '../../platform/blobs/blobs.ts'
import { renderMailHtml } from '../../platform/html/mail-html.ts'
import { isolateRightToLeftText, renderNotification } from './render-text.ts'
import { notificationTexts } from './texts/texts-by-language.ts'
import { notificationKindNames } from '@swath/contract/notification-kinds.ts'
import { findUserLocale, type UserLocale } from '../users/user-locale.ts'

interface EmailContent {
  readonly id: string
  readonly to: MailMessage['to']
  readonly date: Date
  readonly locale: UserLocale
  readonly organization_name: string
  readonly notifications: readonly MailedNotification[]
  readonly publicUrl: string
  readonly unsubscribe_url: string
  readonly attachments: readonly MailAttachment[]
}

/**
 * Composes the e-mail of one notification, or the daily one of several, as text and HTML with the same content, in the language and
 * the time zone of its receiver.
 */
export function composeNotificationEmail(content: EmailContent): MailMessage {
  const { id, to, date, locale, notifications, publicUrl, unsubscribe_url, attachments } = content
  const { mail } = notificationTexts[locale.language]
  const sections = notifications.map((notification) => ({
    ...renderFor(locale, notification),
    url: `${publicUrl}${notification.link}`,
    link: mail.open,
  }))
  const subject = sections.length === 1 ? sections[0]!.title : mail.several.replace('{count}', String(sections.length))
  const footer = mail.membership.replace('{organization}', () => isolateRightToLeftText(content.organization_name))
  const text = [
    ...sections.map(({ title, body, url }) => [title, body, url].filter((line) => line !== '').join('\n')),
    `--\n${footer}\n${mail.end}: ${unsubscribe_url}`,
  ].join('\n\n')
  const footerLink = { url: unsubscribe_url, text: mail.end }
  const html = renderMailHtml({ language: locale.language, subject, sections, footer, footerLink })
  return { id, to, date, unsubscribe_url, subject, attachments, text, html }
}

/** A notification for its receiver; as it was stored if its event is no longer kept. */
function renderFor(
  locale: UserLocale,
  { kind, title, body, data, entity_id, entity_name }: MailedNotification,
): { readonly title: string; readonly body: string } {
  const name = notificationKindNames.find((known) => known === kind)
  if (data === null || name === undefined) return { title, body }
  const templates = notificationTexts[locale.language].kinds[name]
  return renderNotification({ title: templates.title, body: templates.body }, { data, entity_id, entity_name }, locale)
}

/** Mail servers commonly refuse messages above 10 MB, and an attachment grows by a third in a message. */
const max_attached_bytes = 7_000_000

/** Reads the files of an e-mail that still exist; none if they are too large, since the e-mail has a link to them. */
async function readAttachments(blobs: BlobStore, attachments: readonly EmailAttachment[]): Promise<MailAttachment[]> {
  if (attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0) > max_attached_bytes) return []
  const files: MailAttachment[] = []
  for (const { blob_path, file_name, media_type, size_bytes } of attachments) {
    try {
      files.push({ file_name, media_type, bytes: await blobs.read(blob_path, 0, size_bytes) })
    } catch (error) {
      if (!(error instanceof BlobNotFound)) throw error
    }
  }
  return files
}

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
export async function attemptEmail(context: TaskContext, organization: string, id: string): Promise<void> {
  const db = context.database.forOrganization(organization)
  const clock = context.clock.forOrganization(organization)
  const now = clock.now()
  const lease = { now: toProcessClockTime(clock.process), until: toProcessClockTime(clock.process, lease_ms) }
  const email = await claimNotificationEmail(db, organization, id, {
    now,
    next_attempt_at: shiftTime(now, lease_ms),
    lease,
  })
  if (!email) return
  try {
    const result = await attempt(context, organization, email)
    await markEmailAttemptFinished(db, organization, email, { ...result, finished_at: clock.now() })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    const isLast = error.isPermanent || email.attempts >= max_attempts
    const next_attempt_at = shiftTime(clock.now(), first_delay_ms * 2 ** (email.attempts - 1))
    const failed = { state: 'failed', recipient: null, error: error.message, finished_at: clock.now() } as const
    if (isLast) await markEmailAttemptFinished(db, organization, email, failed)
    else await markEmailPostponed(db, organization, email, { error: error.message, next_attempt_at })
  }
}

type AttemptResult = Omit<EmailAttemptResult, 'finished_at'>

const cancelled: AttemptResult = { state: 'cancelled', recipient: null, error: null }

/** Sends the e-mail to the current address of the member; cancelled for a disabled one, or without news. */
async function attempt(
  context: TaskContext,
  organization: string,
  email: NotificationEmailRow,
): Promise<AttemptResult> {
  const db = context.database.forOrganization(organization)
  const address = await findRecipientAddress(db, organization, email.user_id)
  const notifications = await listOpenNotifications(context, organization, email)
  if (!address || notifications.length === 0) return cancelled
  if (await isUserDisabled(context.database, email.user_id)) return cancelled
  const locale = await findUserLocale(context.database, email.user_id)
  const publicUrl = context.processServices.get(publicUrlServiceKey)
  const unsubscribeLinks = context.processServices.get(unsubscribeLinksServiceKey)
  const message = composeNotificationEmail({
    id: email.id,
    to: { name: address.name, address: address.email },
    date: email.created_at,
    locale,
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
  { id, user_id, kind }: NotificationEmailRow,
): Promise<MailedNotification[]> {
  const db = database.forOrganization(organization)
  const rows = await listMailedNotifications(db, organization, id)
  const readable = await listStillReadableNotifications(
    db,
    organization,
    user_id,
    rows.map((row) => row.id),
  )
  return rows.filter((row) => readable.includes(row.id) && !(kind === 'digest' && row.is_closed))
}
