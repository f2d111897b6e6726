import { escapeHtml } from '../../platform/html/escape-html.ts'
import type { MailAttachment, MailMessage } from '../../platform/integrations/mail/mailer.ts'
import type { MailedNotification } from './store.emails.ts'

export interface EmailContent {
  readonly id: string
  readonly to: MailMessage['to']
  readonly date: Date
  readonly notifications: readonly MailedNotification[]
  readonly publicUrl: string
  readonly unsubscribe_url: string
  readonly attachments: readonly MailAttachment[]
}

/** Composes the e-mail of one notification, or the daily one of several, as text and HTML with the same content. */
export function composeEmail(content: EmailContent): MailMessage {
  const { id, to, date, notifications, publicUrl, unsubscribe_url, attachments } = content
  const entries = notifications.map(({ title, body, link }) => ({ title, body, url: `${publicUrl}${link}` }))
  const [first] = entries
  const subject = entries.length === 1 && first ? first.title : `${entries.length} notifications`
  const body = { text: toText(entries, content), html: toHtml(entries, content) }
  return { id, to, date, unsubscribe_url, subject, attachments, ...body }
}

interface EmailEntry {
  readonly title: string
  readonly body: string
  readonly url: string
}

const toText = (entries: readonly EmailEntry[], { unsubscribe_url }: EmailContent): string =>
  [
    ...entries.map(({ title, body, url }) => [title, body, url].filter((line) => line !== '').join('\n')),
    `--\nEnd these e-mails: ${unsubscribe_url}`,
  ].join('\n\n')

const paragraphStyle = 'margin:0 0 8px'

const toHtml = (entries: readonly EmailEntry[], { unsubscribe_url }: EmailContent): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Swath</title></head>' +
  '<body style="margin:24px;font:15px/1.5 sans-serif;color:#14191c">' +
  entries.map(toHtmlEntry).join('<hr style="border:0;border-top:1px solid #d5dadd;margin:16px 0">') +
  `<p style="margin:24px 0 0;font-size:13px;color:#566066"><a href="${escapeHtml(unsubscribe_url)}">End these e-mails</a></p>` +
  '</body></html>'

const toHtmlEntry = ({ title, body, url }: EmailEntry): string =>
  `<h1 style="margin:0 0 8px;font-size:18px">${escapeHtml(title)}</h1>` +
  (body === '' ? '' : `<p style="${paragraphStyle}">${escapeHtml(body)}</p>`) +
  `<p style="${paragraphStyle}"><a href="${escapeHtml(url)}">Open in Swath</a></p>`
