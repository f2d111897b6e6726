import { organizationsMembersSpendGet } from '@swath/contract/operations/organizations.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { pendingOf } from '../billing/member-caps.ts'
import { windowEnds, windowUsed } from '../ledger/caps.ts'
import { requireOrganizationAdmin, requireOwnOrganization, unknownMember } from './membership.ts'
import { findMembership } from './organization.ts'

const most_frees = 100

export const getMemberSpend = handler(organizationsMembersSpendGet, async (call, input) => {
  requireOwnOrganization(call, input.organizationId)
  const user = await memberAsked(call, input.userId?.toLowerCase() ?? null)
  const { db, organization } = call
  const member = await findMembership(db, organization, user)
  if (!member) throw unknownMember(user)
  const now = call.clock.now()
  const pending = await pendingOf(db, organization, user)
  const used = await windowUsed(db, organization, user, now, pending)
  const frees = await windowEnds(db, organization, user, now, pending)
  const { per_order_limit_credits, spend_limit_credits } = member
  return {
    user_id: user,
    per_order_limit_credits,
    spend_limit_credits,
    window_days: 30 as const,
    window_used_credits: used,
    remaining_credits: spend_limit_credits === null ? null : Math.max(0, spend_limit_credits - used),
    frees: frees.slice(0, most_frees).map(({ at, credits }) => ({ at: at.toISOString(), credits })),
  }
})

/** The requested member, by default the caller; only owners and admins read others. */
async function memberAsked(call: Call, asked: string | null): Promise<string> {
  const own = call.principal.user
  if (asked !== null && asked !== own) await requireOrganizationAdmin(call)
  const user = asked ?? own
  if (user === null) throw new Problem('user-required', 'Name the member: this caller is not a user.')
  return user
}
