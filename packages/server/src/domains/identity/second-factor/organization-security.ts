import type { SecondFactorRule } from '@swath/contract/schemas/people/account.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import {
  findSecondFactorRule,
  listActiveMemberIds,
  updateSecondFactorRule,
} from '../../organizations/store.security.ts'
import { findCurrentSignIn } from '../account/confirm.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { hasTwoFactors } from './methods.ts'
import { listUsersWithSecondFactor } from './store.second-factors.ts'

/** How members of the organization of the caller have to sign in. */
export async function readOrganizationSecurity({ db, unscoped, organization }: Call) {
  const members = await listActiveMemberIds(db, organization)
  const protectedMembers = await listUsersWithSecondFactor(unscoped, members)
  return {
    second_factor: await findSecondFactorRule(db, organization),
    members_without_second_factor: members.length - protectedMembers.length,
  }
}

/**
 * Requires a second factor of the members, or not. From the commit on tokens of sessions that began without one are refused. Throws
 * `invalid-state` for a caller whose own session would be one of them.
 */
export async function changeSecondFactorRule(call: Call, rule: SecondFactorRule): Promise<void> {
  const { signIn } = await findCurrentSignIn(call)
  if (rule === 'required' && !hasTwoFactors(signIn?.amr ?? null))
    throw new Problem(
      'invalid-state',
      'Sign in with a second factor first: your session would lose the organization, as all that began without one.',
    )
  const { organization, clock } = call
  await call.unscoped.transaction(async (tx) => {
    await updateSecondFactorRule(tx, organization, { rule, now: clock.now() })
    await publishPrincipalChange(tx, `organization:${organization}`)
  })
}
