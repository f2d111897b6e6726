import { billingFreeTierGrantAllOperation } from '@swath/contract/operations/billing.free_tier.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { forEachOrganization } from '../for-each-organization.ts'
import { grantMonthlyCredits } from '../free-tier.ts'
import { listFreeTierDecisions } from '../store.free-tier.ts'

export const handler = defineHandler(billingFreeTierGrantAllOperation, async (call) => {
  const decisions = await listFreeTierDecisions(call.unscoped)
  const approved = [...decisions].filter(([, state]) => state === 'approved').map(([id]) => id)
  const { results, failures } = await forEachOrganization(call, approved, (actor) =>
    call.unscoped.transaction((tx) => grantMonthlyCredits(tx, actor)),
  )
  return {
    organization_count: results.filter((credits) => credits > 0).length,
    granted_credits: results.reduce((sum, credits) => sum + credits, 0),
    failures: [...failures],
  }
})
