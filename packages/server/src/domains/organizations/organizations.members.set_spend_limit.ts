import { organizationsMembersSetSpendLimit } from '@swath/contract/operations/organizations.ts'
import { handler } from '../../engine/handler.ts'
import { requireOrganizationAdmin, requireOwnOrganization, requirePerson, unknownMember } from './membership.ts'
import { changeCaps } from './spend-limits.ts'

export const setSpendLimit = handler(organizationsMembersSetSpendLimit, async (call, input) => {
  // An API key spends on behalf of its issuer: a key that could raise limits would not be limited at all.
  requirePerson(call, 'Only a user can set spend limits.')
  requireOwnOrganization(call, input.organizationId)
  await requireOrganizationAdmin(call)
  // The request replaces both limits: an omitted one is cleared.
  const caps = {
    per_order_limit_credits: input.perOrderLimitCredits ?? null,
    spend_limit_credits: input.spendLimitCredits ?? null,
  }
  const user_id = input.userId.toLowerCase()
  const { organization, clock } = call
  await call.transaction(async (tx) => {
    const known = await changeCaps(tx, organization, user_id, caps, clock.now())
    if (!known) throw unknownMember(input.userId)
  })
  return { user_id, ...caps }
})
