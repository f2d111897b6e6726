import { billingRunMonthlyForOrgOperation } from '@swath/contract/operations/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { closeBillingMonth, toMonthlyRun } from '../../invoicing/billing-cycle/close-billing-month.ts'
import { findMonthlyRun } from '../../invoicing/billing-cycle/store.monthly.ts'
import { addMonthlyGrant } from '../free-tier.ts'
import { requireWithinMaxCredits } from '../max-credits.ts'
import { requireWithinCallerLimits } from '../topups/topup-limits.ts'

export const handler = defineHandler(billingRunMonthlyForOrgOperation, async (call, input) => {
  const { db, organization } = call
  const { max_credits, dry_run } = input
  requireOwnOrganization(call, input.organization_id)
  // A retry after a lost response returns the run that this call made.
  const closedPeriod = call.claim?.recoveryData['period']
  const earlierRun = typeof closedPeriod === 'string' ? await findMonthlyRun(db, organization, closedPeriod) : null
  if (earlierRun) return toMonthlyRun(organization, { ...earlierRun, already_done: false })
  return dry_run ? executeDryRun(call, (dryRun) => closeMonth(dryRun, max_credits)) : closeMonth(call, max_credits)
})

const closeMonth = (call: Call, max_credits: number | null | undefined) =>
  call.transaction(async (tx) => {
    const outcome = await closeBillingMonth(tx, call, addMonthlyGrant)
    if (!outcome.already_done) {
      requireWithinMaxCredits(outcome.trued_up_cents, max_credits)
      await requireWithinCallerLimits(tx, call, outcome.trued_up_cents)
      await call.claim?.checkpoint(tx, 'reserved', { period: outcome.period })
    }
    return toMonthlyRun(call.organization, outcome)
  })
