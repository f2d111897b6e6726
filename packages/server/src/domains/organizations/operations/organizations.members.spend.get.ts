import { organizationsMembersSpendGetOperation } from '@swath/contract/operations/organizations.members.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { listPendingCardAuthorisations } from '../../card-payments/store.authorisations.ts'
import { listSpendWindowExpirations, sumSpendInWindow } from '../../ledger/spend-limits.ts'
import { requireOrganizationAdmin, requireOwnOrganization, createUnknownMemberProblem } from '../membership.ts'
import { findMembership } from '../store.ts'

const max_frees = 100

export const handler = defineHandler(organizationsMembersSpendGetOperation, async (call, input) => {
  requireOwnOrganization(call, input.organizationId)
  const user = await resolveMember(call, input.userId?.toLowerCase() ?? null)
  const { db, organization } = call
  const member = await findMembership(db, organization, user)
  if (!member) throw createUnknownMemberProblem(user)
  const now = call.clock.now()
  const pending = await listPendingCardAuthorisations(db, organization, [user])
  const used = await sumSpendInWindow(db, { organization, user, now, pending })
  const frees = await listSpendWindowExpirations(db, { organization, user, now, pending })
  const { per_order_limit_credits, spend_limit_credits } = member
  return {
    user_id: user,
    per_order_limit_credits,
    spend_limit_credits,
    window_days: 30 as const,
    window_used_credits: used,
    remaining_credits: spend_limit_credits === null ? null : Math.max(0, spend_limit_credits - used),
    frees: frees.slice(0, max_frees).map(({ at, credits }) => ({ at: at.toISOString(), credits })),
  }
})

/** The requested member, by default the caller; only owners and admins read others. */
async function resolveMember(call: Call, requestedUser: string | null): Promise<string> {
  const callerUser = call.principal.user
  if (requestedUser !== null && requestedUser !== callerUser) await requireOrganizationAdmin(call)
  const user = requestedUser ?? callerUser
  if (user === null) throw new Problem('user-required', 'Name the member: this caller is not a user.')
  return user
}
