import { billingFreeTierGrantAll } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { forEachOrganization } from './months/each-organization.ts'
import { grantMonth } from './months/free-tier.ts'
import { listDecided } from './months/store.free-tier.ts'

export const grantFreeMonth = handler(billingFreeTierGrantAll, async (call) => {
  const decided = await listDecided(call.across)
  const approved = [...decided].filter(([, state]) => state === 'approved').map(([id]) => id)
  const { done, failures } = await forEachOrganization(call, approved, grantMonth)
  return {
    organization_count: done.filter((credits) => credits > 0).length,
    granted_credits: done.reduce((sum, credits) => sum + credits, 0),
    failures: [...failures],
  }
})
