import type { Config } from '../config.ts'
import { planNames, type NumberByPlan, type PlanName } from '../setting-types.ts'
import type { RateLimit } from './rate-limit.ts'

/** The rate limits of an organization, per minute. */
export interface RateLimitsOfPlan {
  readonly calls: RateLimit
  readonly orders: RateLimit
  /** Calls that spend credits, except orders. */
  readonly spending: RateLimit
}

export type PlanRateLimits = Readonly<Record<PlanName, RateLimitsOfPlan>>

const perMinute = (name: string, numbers: NumberByPlan, plan: PlanName): RateLimit => ({
  name,
  max: numbers[plan],
  window_ms: 60_000,
})

export function readPlanRateLimits(
  config: Pick<Config, 'rate_calls' | 'rate_orders' | 'rate_spending'>,
): PlanRateLimits {
  const planRates = (plan: PlanName): RateLimitsOfPlan => ({
    calls: perMinute('default', config.rate_calls, plan),
    orders: perMinute('orders', config.rate_orders, plan),
    spending: perMinute('spending', config.rate_spending, plan),
  })
  return Object.fromEntries(planNames.map((plan) => [plan, planRates(plan)])) as Record<PlanName, RateLimitsOfPlan>
}
