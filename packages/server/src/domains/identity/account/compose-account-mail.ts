import { renderMailHtml } from '../../../platform/html/mail-html.ts'
import { fillPlaceholders, isolateText } from '../../../platform/html/mail-text.ts'
import type { MailMessage } from '../../../platform/integrations/mail/mailer.ts'
import { formatTimeInLocale, type UserLocale } from '../../users/user-locale.ts'
import { accountMailTexts } from './mail-texts.ts'
import type { AccountMailRow } from './store.account-mails.ts'

/** The paths below the base URL of the pages that links in e-mails open. */
export const resetPasswordPagePath = '/realms/public/login-actions/reset-password'
export const accountLinkPagePath = '/realms/public/login-actions/email'

interface AccountMailContent {
  /** Another one for each attempt that makes a token. */
  readonly id: string
  readonly mail: Pick<AccountMailRow, 'kind' | 'email' | 'details' | 'created_at' | 'expires_at'>
  readonly locale: UserLocale
  readonly publicUrl: string
  /** The token of its link; null for an e-mail that only says something. */
  readonly token: string | null
}

const toUrl = ({ mail: { kind }, publicUrl, token }: AccountMailContent): string => {
  if (token === null) return `${publicUrl}${resetPasswordPagePath}`
  const path = kind === 'password-reset' ? resetPasswordPagePath : accountLinkPagePath
  return `${publicUrl}${path}?token=${token}`
}

/** An e-mail about an account in the language and the time zone of its person; of a link with a token it is the only place. */
export function composeAccountMail(content: AccountMailContent): MailMessage {
  const { id, mail, locale } = content
  const { mails, footer } = accountMailTexts[locale.language]
  const text = mails[mail.kind]
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(mail.details).map(([name, value]) => [name, isolateText(value)])),
    when: formatTimeInLocale(locale, mail.created_at),
    until: formatTimeInLocale(locale, mail.expires_at),
  }
  const body = fillPlaceholders(text.body, values)
  const url = toUrl(content)
  return {
    id,
    to: { name: null, address: mail.email },
    subject: text.subject,
    date: mail.created_at,
    text: [text.subject, body, url, `--\n${footer}`].join('\n\n'),
    html: renderMailHtml({
      language: locale.language,
      subject: text.subject,
      sections: [{ title: text.subject, body, url, link: text.link }],
      footer,
      footerLink: null,
    }),
    unsubscribe_url: null,
    attachments: [],
  }
}
