import { usageHistoryOperation } from '@swath/contract/operations/usage.ts'
import type { Usage } from '@swath/contract/schemas/usage.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { completePageOf } from '../../../engine/page.ts'
import { findPlan } from '../../billing/plans.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { readOrganization } from '../../organizations/organization.ts'
import { monthOf, readMonthUsage } from '../usage-report.ts'

export const listUsageHistory = defineHandler(usageHistoryOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const { db, organization } = call
  const { plan } = (await readOrganization(db, organization))!
  const { storage_quota_bytes } = findPlan(plan)
  const measured_at = call.clock.now()
  const rows: Usage[] = []
  for (let back = 0; back < input.months; back++) {
    const month = monthOf(measured_at, back)
    rows.push((await readMonthUsage(db, { organization, month, storage_quota_bytes, measured_at })).usage)
  }
  return completePageOf('usage', rows)
})
