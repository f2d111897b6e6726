import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { MemberSpendLimits } from '../ledger/spend-limits.ts'
import { lockLedger } from '../ledger/ledger-session.ts'
import { updateMemberSpendLimits } from './store.members.ts'

/**
 * Sets the spend limits of a member; false if the user is not in the organization. The ledger is locked: a hold that was
 * checked against the previous limits is written before the change.
 */
export async function setMemberSpendLimits(
  tx: Tx,
  {
    organization,
    user,
    limits,
    now,
  }: {
    readonly organization: string
    readonly user: string
    readonly limits: MemberSpendLimits
    readonly now: OrganizationTime
  },
): Promise<boolean> {
  await lockLedger(tx, organization)
  return updateMemberSpendLimits(tx, { organization, user, limits, now })
}
