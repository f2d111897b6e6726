import { publicUrlServiceKey } from '../../../engine/process-services.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { defineTask, type TaskContext } from '../../../engine/task.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { generateToken } from '../../../platform/crypto/token-prefixes.ts'
import { newId } from '../../../platform/ids.ts'
import { MailFailure } from '../../../platform/integrations/mail/mailer.ts'
import { findUserLocale, findUserLocaleByEmail } from '../../users/user-locale.ts'
import { findMembership, findOrganization } from '../store.ts'
import { composeInvitationEmail } from './invitation-email.ts'
import { invitationStateAt } from './invitation.ts'
import { findInvitation, markInvitationSent, updateInvitationToken, type InvitationRow } from './store.invitations.ts'

/**
 * Sends the e-mail of an invitation. Its token is made here, so that none is stored or waits in the queue in clear text; an
 * attempt that is repeated makes another one, and the link in the last e-mail is valid.
 */
export const sendInvitationTask = defineTask(
  backgroundTaskTypes.sendInvitation,
  { limit: 8, delay_s: 60, backoff: true, expire_s: 120 },
  async (context, { organization_id, invitation_id }) => {
    const { database, log } = context
    const now = context.clock.forOrganization(organization_id).now()
    const row = await findInvitation(database.forOrganization(organization_id), organization_id, invitation_id)
    if (!row || invitationStateAt(row, now) !== 'pending' || row.sent_at !== null) return
    try {
      await sendInvitation(context, organization_id, row)
    } catch (error) {
      if (!(error instanceof MailFailure && error.isPermanent)) throw error
      log.warn({ err: error, invitation_id }, 'the mail server refuses the e-mail of an invitation')
    }
  },
)

async function sendInvitation(
  { database, clock, integrations, processServices }: TaskContext,
  organization: string,
  invitation: InvitationRow,
): Promise<void> {
  const db = database.forOrganization(organization)
  const { email, invited_by } = invitation
  const token = generateToken('invitation', 48)
  const token_hash = hashSecretSha256(token)
  const isWanted = await database.unscoped.transaction((tx) =>
    updateInvitationToken(tx, organization, invitation.id, token_hash),
  )
  if (!isWanted) return
  const inviter = await findMembership(db, organization, invited_by)
  const locale = (await findUserLocaleByEmail(database, email)) ?? (await findUserLocale(database, invited_by))
  const now = clock.forOrganization(organization).now()
  const message = composeInvitationEmail({
    // Another one for each attempt: a receiver that drops repetitions must not drop the one with the valid link.
    id: newId(),
    email,
    role: invitation.role,
    organization_name: (await findOrganization(db, organization))?.name ?? '',
    inviter: inviter?.name ?? inviter?.email ?? 'An admin',
    publicUrl: processServices.get(publicUrlServiceKey),
    token,
    date: now,
    expires_at: invitation.expires_at,
    locale,
  })
  await integrations.mail.send(message)
  await markInvitationSent(db, organization, invitation.id, { token_hash, now })
}
