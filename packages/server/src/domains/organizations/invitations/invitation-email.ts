import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import { renderMailHtml } from '../../../platform/html/mail-html.ts'
import type { MailMessage } from '../../../platform/integrations/mail/mailer.ts'

/** The path below the base URL of the page that the link in an invitation opens. */
export const invitationPagePath = '/invitations/accept'

interface InvitationEmail {
  readonly id: string
  readonly email: string
  readonly role: OrganizationRole
  readonly organization_name: string
  /** A member, as its organization knows it. */
  readonly inviter: string
  readonly publicUrl: string
  readonly token: string
  readonly date: Date
  readonly expires_at: Date
}

/** The names of others in a text must not turn the text around them: they are isolated by U+2068 and U+2069. */
const isolate = (text: string): string => `\u2068${text}\u2069`

/** The e-mail of an invitation, the only place of its token. */
export function composeInvitationEmail(invitation: InvitationEmail): MailMessage {
  const { id, email, role, inviter, publicUrl, token, date, expires_at } = invitation
  const organization = isolate(invitation.organization_name)
  const subject = `Invitation to ${organization}`
  const url = `${publicUrl}${invitationPagePath}?token=${token}`
  const until = expires_at.toISOString().slice(0, 16).replace('T', ' ')
  const body = `${isolate(inviter)} invites you to join ${organization} on Swath with the role ${role}. The link can be used once, until ${until} UTC.`
  const footer = 'If you do not expect this invitation, ignore it: nothing happens without the link.'
  return {
    id,
    to: { name: null, address: email },
    subject,
    date,
    text: [subject, body, url, `--\n${footer}`].join('\n\n'),
    html: renderMailHtml({
      subject,
      sections: [{ title: subject, body, url, link: 'Open the invitation' }],
      footer,
      footerLink: null,
    }),
    unsubscribe_url: null,
    attachments: [],
  }
}
