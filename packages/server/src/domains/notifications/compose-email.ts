import { escapeHtml } from '../../platform/html/escape-html.ts'
import type { MailAttachment, MailMessage } from '../../platform/integrations/mail/mailer.ts'
import { isolateIfRightToLeft } from './render-text.ts'
import type { MailedNotification } from './store.emails.ts'

export interface EmailContent {
  readonly id: string
  readonly to: MailMessage['to']
  readonly date: Date
  readonly organization_name: string
  readonly notifications: readonly MailedNotification[]
  readonly publicUrl: string
  readonly unsubscribe_url: string
  readonly attachments: readonly MailAttachment[]
}

/** Composes the e-mail of one notification, or the daily one of several, as text and HTML with the same content. */
export function composeEmail(content: EmailContent): MailMessage {
  const { id, to, date, notifications, publicUrl, unsubscribe_url, attachments } = content
  const entries = notifications.map(({ title, body, link }) => ({ title, body, url: `${publicUrl}${link}` }))
  const subject = subjectOf(entries)
  const body = { text: toText(entries, content), html: toHtml(entries, content) }
  return { id, to, date, unsubscribe_url, subject, attachments, ...body }
}

const subjectOf = (entries: readonly EmailEntry[]): string =>
  entries.length === 1 ? entries[0]!.title : `${entries.length} notifications`

interface EmailEntry {
  readonly title: string
  readonly body: string
  readonly url: string
}

const membershipOf = ({ organization_name }: EmailContent): string =>
  `You receive this e-mail as a member of ${isolateIfRightToLeft(organization_name)}.`

const toText = (entries: readonly EmailEntry[], content: EmailContent): string =>
  [
    ...entries.map(({ title, body, url }) => [title, body, url].filter((line) => line !== '').join('\n')),
    `--\n${membershipOf(content)}\nEnd these e-mails: ${content.unsubscribe_url}`,
  ].join('\n\n')

/** Mail programs that ignore it show the colours of the elements, on white. */
const darkColours =
  ':root{color-scheme:light dark}@media (prefers-color-scheme:dark){' +
  'body,h1{background:#14191c!important;color:#e8ecee!important}.muted{color:#a9b4ba!important}' +
  'a{color:#5cc3d9!important}hr{border-color:#3a444a!important}}'

const linkStyle = 'color:#0e7c93'
const paragraphStyle = 'margin:0 0 8px'

/** Words without spaces, such as URLs, are broken, so that a narrow screen shows the whole text. */
const toHtml = (entries: readonly EmailEntry[], content: EmailContent): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
  `<title>${escapeHtml(subjectOf(entries))}</title><style>${darkColours}</style></head>` +
  '<body style="margin:0;background:#ffffff;font:15px/1.5 sans-serif;color:#14191c">' +
  '<div style="max-width:560px;margin:0 auto;padding:24px 20px;overflow-wrap:anywhere;word-break:break-word">' +
  entries.map(toHtmlEntry).join('<hr style="border:0;border-top:1px solid #d5dadd;margin:16px 0">') +
  `<p class="muted" style="margin:24px 0 0;font-size:13px;color:#566066">${escapeHtml(membershipOf(content))}<br>` +
  `<a style="${linkStyle}" href="${escapeHtml(content.unsubscribe_url)}">End these e-mails</a></p>` +
  '</div></body></html>'

const toHtmlEntry = ({ title, body, url }: EmailEntry): string =>
  `<h1 style="margin:0 0 8px;font-size:18px;line-height:1.35">${escapeHtml(title)}</h1>` +
  (body === '' ? '' : `<p style="${paragraphStyle}">${escapeHtml(body)}</p>`) +
  `<p style="${paragraphStyle}"><a style="${linkStyle}" href="${escapeHtml(url)}">Open in Swath</a></p>`
