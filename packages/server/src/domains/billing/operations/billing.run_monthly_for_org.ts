import { billingRunMonthlyForOrgOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrganizationAdmin, requireOwnOrganization } from '../../organizations/membership.ts'
import { findMonthlyRun, closeBillingMonth, toMonthlyRun } from '../../invoicing/billing-cycle/close-billing-month.ts'
import { addMonthlyGrant } from '../free-tier.ts'

export const runMonthlyBillingForOrganization = defineHandler(billingRunMonthlyForOrgOperation, async (call, input) => {
  const { db, organization } = call
  requireOwnOrganization(call, input.organization_id)
  await requireOrganizationAdmin(call)
  // A retry after a lost response returns the run that this call made.
  const closedPeriod = call.claim?.recoveryData['period']
  const earlierRun = typeof closedPeriod === 'string' ? await findMonthlyRun(db, organization, closedPeriod) : null
  if (earlierRun) return toMonthlyRun(organization, { ...earlierRun, already_done: false })
  const run = await call.transaction(async (tx) => {
    const outcome = await closeBillingMonth(tx, call, addMonthlyGrant)
    if (!outcome.already_done) await call.claim?.checkpoint(tx, 'reserved', { period: outcome.period })
    return outcome
  })
  return toMonthlyRun(organization, run)
})
