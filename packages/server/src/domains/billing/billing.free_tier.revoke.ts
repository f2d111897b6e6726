import { billingFreeTierRevoke } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { actIn } from '../organizations/named.ts'
import { revokeFreeTier } from './months/free-tier.ts'

export const takeOutOfFreeTier = handler(billingFreeTierRevoke, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  const expired_credits = await call.across.transaction((tx) => revokeFreeTier(tx, actor, call.principal.id))
  return { organization_id: actor.organization, expired_credits }
})
