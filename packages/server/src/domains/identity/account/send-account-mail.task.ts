import { publicUrlServiceKey } from '../../../engine/process-services.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { defineTask, type TaskContext } from '../../../engine/task.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { generateToken } from '../../../platform/crypto/token-prefixes.ts'
import { newId } from '../../../platform/ids.ts'
import { MailFailure } from '../../../platform/integrations/mail/mailer.ts'
import { findAccountByEmail, findAccount, type AccountRow } from '../../users/store.accounts.ts'
import { toEmailKey } from '../../users/users.ts'
import { linkedMailKinds } from './account-mails.ts'
import { composeAccountMail } from './compose-account-mail.ts'
import {
  findAccountMail,
  markAccountMailSent,
  markAccountMailUsed,
  updateAccountMailToken,
  type AccountMailRow,
} from './store.account-mails.ts'

/**
 * Sends an e-mail about an account. The token of its link is made here, so that none is stored or waits in the queue in clear
 * text; an attempt that is repeated makes another one, and the link in the last e-mail is valid.
 */
export const sendAccountMailTask = defineTask(
  backgroundTaskTypes.sendAccountMail,
  { limit: 8, delay_s: 30, backoff: true, expire_s: 120 },
  async (context, { mail_id }) => {
    const { database, clock, log } = context
    const mail = await findAccountMail(database.unscoped, mail_id)
    const now = clock.process.now()
    if (!mail || mail.sent_at !== null || mail.used_at !== null || mail.expires_at <= now) return
    const account = await findReceiver(context, mail)
    if (!account) return markAccountMailUsed(database.unscoped, mail_id, now)
    try {
      await send(context, mail, account)
    } catch (error) {
      if (!(error instanceof MailFailure && error.isPermanent)) throw error
      log.warn({ err: error, mail_id }, 'the mail server refuses an e-mail about an account')
    }
  },
)

/** Null if nobody is to get the e-mail: an unknown address, or one that another account has by now. */
async function findReceiver(
  { database: { unscoped } }: TaskContext,
  { kind, user_id, email }: AccountMailRow,
): Promise<AccountRow | null> {
  const known = await findAccountByEmail(unscoped, toEmailKey(email))
  if (user_id === null) return known && known.disabled_at === null && known.has_password ? known : null
  if (kind === 'email-confirmation' && known !== null) return null
  const account = await findAccount(unscoped, user_id)
  return account && account.deleted_at === null ? account : null
}

async function send(
  { database: { unscoped }, clock, integrations, processServices }: TaskContext,
  mail: AccountMailRow,
  account: AccountRow,
): Promise<void> {
  const token = linkedMailKinds.has(mail.kind) ? generateToken('account_link', 48) : null
  const token_hash = token === null ? null : hashSecretSha256(token)
  if (!(await updateAccountMailToken(unscoped, mail.id, { token_hash, user_id: account.id }))) return
  const message = composeAccountMail({
    // A receiver that drops repetitions must not drop the one with the valid link.
    id: token === null ? mail.id : newId(),
    // Not as somebody typed it: another address may have the same key, such as one with letters that only look alike.
    mail: mail.user_id === null ? { ...mail, email: account.email } : mail,
    locale: account,
    publicUrl: processServices.get(publicUrlServiceKey),
    token,
  })
  await integrations.mail.send(message)
  await markAccountMailSent(unscoped, mail.id, clock.process.now())
}
