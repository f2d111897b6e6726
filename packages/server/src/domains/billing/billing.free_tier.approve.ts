import { billingFreeTierApprove } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { actIn } from '../organizations/named.ts'
import { approveFreeTier } from './months/free-tier.ts'

export const admitToFreeTier = handler(billingFreeTierApprove, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  const decided_by = input.admin_user_id ?? call.principal.id
  const granted_credits = await call.across.transaction((tx) => approveFreeTier(tx, actor, decided_by))
  return { organization_id: actor.organization, granted_credits }
})
