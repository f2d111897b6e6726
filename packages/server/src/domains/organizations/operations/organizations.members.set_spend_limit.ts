import { organizationsMembersSetSpendLimitOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrganizationAdmin, requireOwnOrganization, requireHuman, unknownMemberProblem } from '../membership.ts'
import { setMemberSpendLimits } from '../spend-limits.ts'

export const setSpendLimit = defineHandler(organizationsMembersSetSpendLimitOperation, async (call, input) => {
  // An API key spends on behalf of its issuer: a key that could raise limits would not be limited at all.
  requireHuman(call, 'Only a user can set spend limits.')
  requireOwnOrganization(call, input.organizationId)
  await requireOrganizationAdmin(call)
  // The request replaces both limits: an omitted one is cleared.
  const limits = {
    per_order_limit_credits: input.perOrderLimitCredits ?? null,
    spend_limit_credits: input.spendLimitCredits ?? null,
  }
  const user_id = input.userId.toLowerCase()
  const { organization, clock } = call
  await call.transaction(async (tx) => {
    const isMember = await setMemberSpendLimits(tx, { organization, user: user_id, limits, now: clock.now() })
    if (!isMember) throw unknownMemberProblem(input.userId)
  })
  return { user_id, ...limits }
})
