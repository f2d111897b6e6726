import { billingFreeTierApproveOperation } from '@swath/contract/operations/billing.free_tier.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { approveFreeTier } from '../free-tier.ts'

export const handler = defineHandler(billingFreeTierApproveOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const decided_by = input.admin_user_id ?? call.principal.id
  const granted_credits = await call.unscoped.transaction((tx) => approveFreeTier(tx, actor, decided_by))
  return { organization_id: actor.organization, granted_credits }
})
