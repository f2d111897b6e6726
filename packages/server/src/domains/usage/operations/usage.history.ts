import { usageHistoryOperation } from '@swath/contract/operations/usage.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { findUsageScope } from '../../billing/find-usage-scope.ts'
import { findBillingPlan } from '../../billing/plans.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { findOrganization } from '../../organizations/store.ts'
import { listLastMonths, sumMonthlyUsage } from '../usage-report.ts'

export const handler = defineHandler(usageHistoryOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const { db, organization } = call
  const { plan } = (await findOrganization(db, organization))!
  const { storage_quota_bytes } = findBillingPlan(plan)
  const measured_at = call.clock.now()
  const scope = await findUsageScope(call)
  const months = listLastMonths(measured_at, input.months)
  const rows = await sumMonthlyUsage(db, { organization, months, storage_quota_bytes, measured_at, scope })
  return toCompleteList('usage', rows)
})
