import { usageCurrentOperation } from '@swath/contract/operations/usage.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findUsageScope } from '../../billing/find-usage-scope.ts'
import { findBillingPlan } from '../../billing/plans.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { findOrganization } from '../../organizations/store.ts'
import { findUsageMonth, sumMonthlyUsage, readUsageBreakdown } from '../usage-report.ts'

export const handler = defineHandler(usageCurrentOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const { db, organization } = call
  const { plan } = (await findOrganization(db, organization))!
  const { storage_quota_bytes } = findBillingPlan(plan)
  const measured_at = call.clock.now()
  const scope = await findUsageScope(call)
  const month = findUsageMonth(measured_at)
  const [usage] = await sumMonthlyUsage(db, { organization, months: [month], storage_quota_bytes, measured_at, scope })
  return { usage: usage!, ...(await readUsageBreakdown(db, organization, month, scope)) }
})
