import { billingFreeTierRevokeOperation } from '@swath/contract/operations/billing.free_tier.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { revokeFreeTier } from '../free-tier.ts'

export const handler = defineHandler(billingFreeTierRevokeOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const expired_credits = await call.unscoped.transaction((tx) => revokeFreeTier(tx, actor, call.principal.id))
  return { organization_id: actor.organization, expired_credits }
})
