import { limits } from '@swath/contract/limits.ts'
import type { Clock, OrganizationClocks } from '../../../platform/clock.ts'
import type { DbConnection, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { QueueProducer } from '../../../platform/queue/queue.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import { updateMemberProfile } from '../../organizations/store.members.ts'
import { findAccount, findAccountByEmail, updateAccountEmail } from '../../users/store.accounts.ts'
import { toEmailKey } from '../../users/users.ts'
import { revokePersonalTokensOfUser } from '../personal-tokens/personal-tokens.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { removeFactorsSince } from '../second-factor/remove-factors.ts'
import { listUserOrganizationIds } from '../store.ts'
import { markUserSessionsRevoked } from '../store.sessions.ts'
import { enqueueAccountMail } from './account-mails.ts'
import {
  insertEmailChange,
  lockEmailChange,
  markEmailChangeConfirmed,
  markEmailChangeUndone,
  markOpenEmailChangesUndone,
} from './store.email-changes.ts'

interface EmailChangeDependencies {
  readonly unscoped: DbConnection
  readonly clock: Clock
  readonly queue: Pick<QueueProducer, 'enqueue'>
}

/**
 * Asks for another e-mail address of a user: its link goes to the new one, and a notice with a way to refuse it to the present one. That
 * another account has the new address is found out by the task that sends the link, so that the user does not learn it.
 */
export const requestEmailChange = (
  { unscoped, clock, queue }: EmailChangeDependencies,
  user: { readonly id: string; readonly email: string },
  email: string,
): Promise<{ readonly email: string; readonly expires_at: Date }> =>
  unscoped.transaction(async (tx) => {
    const at = clock.now()
    const expires_at = new Date(at.getTime() + limits.email_confirmation_seconds * 1000)
    const change = {
      id: newId(),
      user_id: user.id,
      old_email: user.email,
      new_email: email.trim(),
      requested_at: at,
      expires_at,
    }
    await markOpenEmailChangesUndone(tx, user.id, at)
    await insertEmailChange(tx, change)
    const mail = { user: user.id, subject_id: change.id, at }
    await enqueueAccountMail(tx, queue, { ...mail, kind: 'email-confirmation', email: change.new_email })
    const details = { address: change.new_email }
    await enqueueAccountMail(tx, queue, { ...mail, kind: 'email-notice', email: user.email, details })
    return { email: change.new_email, expires_at }
  })

/** Gives a user an e-mail address, here and in all memberships. False if another account has it. */
async function moveToEmail(tx: Tx, user: string, email: string, at: Date): Promise<boolean> {
  const email_key = toEmailKey(email)
  const other = await findAccountByEmail(tx, email_key)
  if (other !== null && other.id !== user) return false
  await updateAccountEmail(tx, user, { email, email_key, at })
  const account = await findAccount(tx, user)
  for (const organization of await listUserOrganizationIds(tx, user))
    await updateMemberProfile(tx, organization, user, { email, name: account?.name ?? null })
  await publishPrincipalChange(tx, `user:${user}`)
  return true
}

/** Applies a change that the reader of the new address has confirmed. False if it is not open any more. */
export async function confirmEmailChange(tx: Tx, change_id: string, at: Date): Promise<boolean> {
  const change = await lockEmailChange(tx, change_id)
  if (!change || change.confirmed_at !== null || change.undone_at !== null || change.expires_at <= at) return false
  const account = await findAccount(tx, change.user_id)
  if (!account || account.deleted_at !== null) return false
  if (!(await moveToEmail(tx, change.user_id, change.new_email, at))) return false
  await markEmailChangeConfirmed(tx, change.id, at)
  return true
}

/** Who changes the address of somebody else may have prepared that: what was added to the account within this time goes, too. */
const preparation_ms = 24 * 3600 * 1000

/**
 * Refuses a change for the reader of the old address: that one stays or comes back, all sessions and personal access tokens end, passkeys
 * and an authenticator app that were added since the day before the change are removed, and a link to choose another password goes to the
 * old address. `taken` if another account has it by now.
 */
export async function undoEmailChange(
  tx: Tx,
  { queue, clock }: { readonly queue: Pick<QueueProducer, 'enqueue'>; readonly clock: OrganizationClocks },
  { change_id, at }: { readonly change_id: string; readonly at: Date },
): Promise<'undone' | 'closed' | 'taken'> {
  const change = await lockEmailChange(tx, change_id)
  const account = change && (await findAccount(tx, change.user_id))
  if (!change || !account || account.deleted_at !== null) return 'closed'
  const { user_id: user, old_email } = change
  const isMoved = toEmailKey(account.email) !== toEmailKey(old_email)
  if (isMoved && !(await moveToEmail(tx, user, old_email, at))) return 'taken'
  if (change.undone_at === null) await markEmailChangeUndone(tx, change.id, at)
  await markOpenEmailChangesUndone(tx, user, at)
  await markUserSessionsRevoked(tx, user, { kept: [], reason: 'email-change-refused', now: at })
  for (const organization of await listUserOrganizationIds(tx, user)) {
    await refreshSandboxTime({ unscoped: tx, clock }, organization)
    await revokePersonalTokensOfUser(tx, { organization, clock: clock.forOrganization(organization) }, user)
  }
  await removeFactorsSince(tx, user, new Date(change.requested_at.getTime() - preparation_ms))
  await publishPrincipalChange(tx, `user:${user}`)
  await enqueueAccountMail(tx, queue, { kind: 'password-reset', user: null, email: old_email, at })
  return 'undone'
}
