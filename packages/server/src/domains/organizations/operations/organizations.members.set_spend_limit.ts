import { organizationsMembersSetSpendLimitOperation } from '@swath/contract/operations/organizations.members.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOwnOrganization, requireAuthorityOver, createUnknownMemberProblem } from '../membership.ts'
import { findMembership } from '../store.ts'
import { setMemberSpendLimits } from '../spend-limits.ts'

export const handler = defineHandler(organizationsMembersSetSpendLimitOperation, async (call, input) => {
  requireOwnOrganization(call, input.organizationId)
  // The request replaces both limits: an omitted one is cleared.
  const limits = {
    per_order_limit_credits: input.perOrderLimitCredits ?? null,
    spend_limit_credits: input.spendLimitCredits ?? null,
  }
  const user_id = input.userId.toLowerCase()
  const { db, organization, clock } = call
  const member = await findMembership(db, organization, user_id)
  if (!member) throw createUnknownMemberProblem(input.userId)
  await requireAuthorityOver(call, member.user_id)
  await call.transaction(async (tx) => {
    const isMember = await setMemberSpendLimits(tx, { organization, user: user_id, limits, now: clock.now() })
    if (!isMember) throw createUnknownMemberProblem(input.userId)
  })
  return { user_id, ...limits }
})
