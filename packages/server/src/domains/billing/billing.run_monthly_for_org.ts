import { billingRunMonthlyForOrg } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { requireOrganizationAdmin, requireOwnOrganization } from '../organizations/membership.ts'
import { findRun, runMonth, runOf } from './months/run-month.ts'

export const runMonthlyForOrganization = handler(billingRunMonthlyForOrg, async (call, input) => {
  const { db, organization } = call
  requireOwnOrganization(call, input.organization_id)
  await requireOrganizationAdmin(call)
  // A retry after a lost response returns the run that this call made.
  const closed = call.claim?.data['period']
  const earlier = typeof closed === 'string' ? await findRun(db, organization, closed) : null
  if (earlier) return runOf(organization, { ...earlier, already_done: false })
  const run = await call.transaction(async (tx) => {
    const outcome = await runMonth(tx, call)
    if (!outcome.already_done) await call.claim?.reach(tx, 'reserved', { period: outcome.period })
    return outcome
  })
  return runOf(organization, run)
})
