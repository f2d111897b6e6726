import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import { renderMailHtml } from '../../../platform/html/mail-html.ts'
import type { MailMessage } from '../../../platform/integrations/mail/mailer.ts'
import { accountMailTexts } from './mail-texts.ts'
import type { AccountMailRow } from './store.account-mails.ts'

/** The paths below the base URL of the pages that links in e-mails open. */
export const resetPasswordPagePath = '/realms/public/login-actions/reset-password'
export const accountLinkPagePath = '/realms/public/login-actions/email'

interface AccountMailContent {
  /** Another one for each attempt that makes a token. */
  readonly id: string
  readonly mail: Pick<AccountMailRow, 'kind' | 'email' | 'details' | 'created_at' | 'expires_at'>
  readonly language: AccountLanguage
  readonly time_zone: string
  readonly publicUrl: string
  /** The token of its link; null for an e-mail that only says something. */
  readonly token: string | null
}

/** Texts of others must not turn the text around them: they are isolated by U+2068 and U+2069. */
const isolate = (text: string): string => `\u2068${text}\u2069`

/** A time as its reader writes it, with the time zone. */
export const formatAccountTime = (time: Date, language: AccountLanguage, time_zone: string): string =>
  new Intl.DateTimeFormat(language, {
    timeZone: time_zone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(time)

const toUrl = ({ mail: { kind }, publicUrl, token }: AccountMailContent): string => {
  if (token === null) return `${publicUrl}${resetPasswordPagePath}`
  const path = kind === 'password-reset' ? resetPasswordPagePath : accountLinkPagePath
  return `${publicUrl}${path}?token=${token}`
}

/** An e-mail about an account in the language and the time zone of its person; of a link with a token it is the only place. */
export function composeAccountMail(content: AccountMailContent): MailMessage {
  const { id, mail, language, time_zone } = content
  const { mails, footer } = accountMailTexts[language]
  const text = mails[mail.kind]
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(mail.details).map(([name, value]) => [name, isolate(value)])),
    when: formatAccountTime(mail.created_at, language, time_zone),
    until: formatAccountTime(mail.expires_at, language, time_zone),
  }
  const body = text.body.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const url = toUrl(content)
  return {
    id,
    to: { name: null, address: mail.email },
    subject: text.subject,
    date: mail.created_at,
    text: [text.subject, body, url, `--\n${footer}`].join('\n\n'),
    html: renderMailHtml({
      language,
      subject: text.subject,
      sections: [{ title: text.subject, body, url, link: text.link }],
      footer,
      footerLink: null,
    }),
    unsubscribe_url: null,
    attachments: [],
  }
}
