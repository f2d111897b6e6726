import { billingFreeTierListPendingOperation } from '@swath/contract/operations/billing.free_tier.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listOrganizations } from '../../organizations/store.ts'
import { listFreeTierDecisions } from '../store.free-tier.ts'

export const handler = defineHandler(billingFreeTierListPendingOperation, async (call) => {
  const decisions = await listFreeTierDecisions(call.unscoped)
  const organizations = (await listOrganizations(call.unscoped))
    .filter(({ id, plan, status }) => plan === 'free' && status === 'active' && !decisions.has(id))
    .map(({ id, name, created_at }) => ({ organization_id: id, name, created_at: created_at.toISOString() }))
  return toCompleteList('organizations', organizations)
})
