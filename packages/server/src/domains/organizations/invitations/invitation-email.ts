import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import { fillPlaceholders, isolateText } from '../../../platform/html/mail-text.ts'
import { renderMailHtml } from '../../../platform/html/mail-html.ts'
import { formatTimeInLocale, type UserLocale } from '../../users/user-locale.ts'
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
  readonly locale: UserLocale
}

interface InvitationTexts {
  /** `{organization}` */
  readonly subject: string
  /** `{inviter}`, `{organization}`, `{role}`, `{until}` */
  readonly body: string
  readonly roles: Readonly<Record<OrganizationRole, string>>
  readonly link: string
  readonly footer: string
}

const invitationTexts: Readonly<Record<AccountLanguage, InvitationTexts>> = {
  en: {
    subject: 'Invitation to {organization}',
    body: '{inviter} invites you to join {organization} on Swath with the role {role}. The link can be used once, until {until}.',
    roles: { owner: 'owner', admin: 'admin', member: 'member', billing: 'billing' },
    link: 'Open the invitation',
    footer: 'If you do not expect this invitation, ignore it: nothing happens without the link.',
  },
  de: {
    subject: 'Einladung zu {organization}',
    body: '{inviter} lädt Sie ein, {organization} auf Swath mit der Rolle {role} beizutreten. Der Link gilt einmal, bis {until}.',
    roles: { owner: 'Besitzer', admin: 'Admin', member: 'Mitglied', billing: 'Abrechnung' },
    link: 'Einladung öffnen',
    footer: 'Wenn Sie diese Einladung nicht erwarten, ignorieren Sie sie: Ohne den Link geschieht nichts.',
  },
  fr: {
    subject: 'Invitation à {organization}',
    body: '{inviter} vous invite à rejoindre {organization} sur Swath avec le rôle {role}. Le lien sert une seule fois, jusqu’au {until}.',
    roles: { owner: 'propriétaire', admin: 'admin', member: 'membre', billing: 'facturation' },
    link: 'Ouvrir l’invitation',
    footer: 'Si vous n’attendez pas cette invitation, ignorez-la : rien ne se passe sans le lien.',
  },
}

/** The e-mail of an invitation, the only place of its token. */
export function composeInvitationEmail(invitation: InvitationEmail): MailMessage {
  const { id, email, publicUrl, token, date, locale } = invitation
  const texts = invitationTexts[locale.language]
  const values: Readonly<Record<string, string>> = {
    organization: isolateText(invitation.organization_name),
    inviter: isolateText(invitation.inviter),
    role: texts.roles[invitation.role],
    until: formatTimeInLocale(locale, invitation.expires_at),
  }
  const [subject, body] = [fillPlaceholders(texts.subject, values), fillPlaceholders(texts.body, values)]
  const url = `${publicUrl}${invitationPagePath}?token=${token}`
  return {
    id,
    to: { name: null, address: email },
    subject,
    date,
    text: [subject, body, url, `--\n${texts.footer}`].join('\n\n'),
    html: renderMailHtml({
      language: locale.language,
      subject,
      sections: [{ title: subject, body, url, link: texts.link }],
      footer: texts.footer,
      footerLink: null,
    }),
    unsubscribe_url: null,
    attachments: [],
  }
}
