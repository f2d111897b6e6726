import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import { billingForecastOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { shiftTime } from '../../../platform/clock.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { findOrganization } from '../../organizations/store.ts'
import { sumChargedCredits } from '../../usage/spending.ts'
import { findUsageMonth } from '../../usage/usage-report.ts'
import { findUsageScope } from '../find-usage-scope.ts'
import { forecastSpending, forecast_basis_days } from '../forecast.ts'

export const handler = defineHandler(billingForecastOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const { db, organization } = call
  const now = call.clock.now()
  const { period, from, to } = findUsageMonth(now)
  const { projects } = await findUsageScope(call)
  const spent_credits = await sumChargedCredits(db, organization, { from, to: now }, projects)
  const recent = { from: shiftTime(now, -forecast_basis_days * day_ms), to: now }
  const recent_credits = await sumChargedCredits(db, organization, recent, projects)
  const { created_at } = (await findOrganization(db, organization))!
  const forecast = forecastSpending({ now, ends_at: to, began_at: created_at, spent_credits, recent_credits })
  return {
    organization_id: organization,
    period,
    ends_at: to.toISOString(),
    measured_at: now.toISOString(),
    spent_credits,
    ...forecast,
    forecast_aud: forecast.forecast_credits / limits.credits_per_aud,
  }
})
