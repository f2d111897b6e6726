import { actorInOrganization } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { deleteMember } from '../../organizations/store.members.ts'
import { findOrganization } from '../../organizations/store.ts'
import { findAccount, lockActiveAdministrators, markAccountDeleted } from '../../users/store.accounts.ts'
import { deleteConsents } from '../consents/store.consents.ts'
import { endMembership } from '../memberships/end-membership.ts'
import { deleteUserOrganization, lockUser } from '../memberships/store.memberships.ts'
import { deletePasskeysOfUser } from '../passkeys/store.passkeys.ts'
import { revokePersonalTokensOfUser } from '../personal-tokens/personal-tokens.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { deleteRecoveryCodes, deleteTotp } from '../second-factor/store.second-factors.ts'
import { listUserOrganizationIds } from '../store.ts'
import { markUserSessionsRevoked } from '../store.sessions.ts'
import { deleteAccountMailsOfUser } from './store.account-mails.ts'
import { deleteEmailChangesOfUser } from './store.email-changes.ts'

/** What other modules keep about a member besides what the organization owns; deleted in the same transaction. */
export type DeletesMemberData = (tx: Tx, organization: string, user: string) => Promise<void>

type DeletingCall = Pick<Call, 'principal' | 'unscoped' | 'clocks' | 'operation' | 'requestId' | 'queue'>

/**
 * Deletes an account for good: the user leaves all organizations, all sessions end, and the row keeps nothing but its id. Throws
 * `invalid-state` for the last owner of an organization, and for the last operator of the platform.
 */
export async function deleteAccount(
  call: DeletingCall,
  user: string,
  deleteMemberData: DeletesMemberData,
): Promise<Date> {
  const { unscoped, clocks } = call
  // The events of leaving have the time of each organization.
  for (const organization of await listUserOrganizationIds(unscoped, user))
    await refreshSandboxTime({ unscoped, clock: clocks }, organization)
  return unscoped.transaction(async (tx) => {
    const at = clocks.process.now()
    if ((await findAccount(tx, user))?.is_administrator) await requireOtherAdministrator(tx, user)
    await lockUser(tx, user)
    for (const organization of await listUserOrganizationIds(tx, user)) {
      await leave(tx, call, organization, user)
      await deleteMemberData(tx, organization, user)
    }
    await markUserSessionsRevoked(tx, user, { kept: [], reason: 'account-deleted', now: at })
    await deleteConsents(tx, user, { client: null, organization: null })
    await deleteTotp(tx, user)
    await deletePasskeysOfUser(tx, user)
    await deleteRecoveryCodes(tx, user)
    await deleteAccountMailsOfUser(tx, user)
    await deleteEmailChangesOfUser(tx, user)
    await markAccountDeleted(tx, user, { email: `${user}@deleted.invalid`, at })
    await publishPrincipalChange(tx, `user:${user}`)
    return at
  })
}

async function requireOtherAdministrator(tx: Tx, user: string): Promise<void> {
  const administrators = await lockActiveAdministrators(tx)
  if (administrators.includes(user) && administrators.length === 1)
    throw new Problem('invalid-state', 'You are the only operator of the platform; make another one first.')
}

/** Leaves by the rule of leaving; a deleted organization has nothing left to be left. */
async function leave(tx: Tx, call: DeletingCall, organization: string, user: string): Promise<void> {
  const found = await findOrganization(tx, organization)
  if (!found || found.status === 'deleted') {
    await deleteMember(tx, organization, user)
    await revokePersonalTokensOfUser(tx, actorInOrganization(call, organization), user)
    return deleteUserOrganization(tx, user, organization)
  }
  try {
    await endMembership(tx, actorInOrganization(call, organization), { user, kind: 'member.left' })
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'invalid-state') throw error
    throw new Problem(
      'invalid-state',
      `You are the last owner of the organization "${found.name}". Make another member the owner, or close it, first.`,
    )
  }
}
