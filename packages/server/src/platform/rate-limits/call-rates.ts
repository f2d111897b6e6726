import type { Config } from '../config.ts'
import { plans, type NumberByPlan, type PlanName } from '../setting-kinds.ts'
import type { RateLimit } from './rate-limit.ts'

/** The rate limits of an organization, per minute. */
export interface PlanRates {
  readonly calls: RateLimit
  readonly orders: RateLimit
  /** Calls that spend credits, except orders. */
  readonly spending: RateLimit
}

export type CallRates = Readonly<Record<PlanName, PlanRates>>

const perMinute = (name: string, numbers: NumberByPlan, plan: PlanName): RateLimit => ({
  name,
  max: numbers[plan],
  window_ms: 60_000,
})

export function callRatesOf(config: Pick<Config, 'rate_calls' | 'rate_orders' | 'rate_spending'>): CallRates {
  const ratesOf = (plan: PlanName): PlanRates => ({
    calls: perMinute('default', config.rate_calls, plan),
    orders: perMinute('orders', config.rate_orders, plan),
    spending: perMinute('spending', config.rate_spending, plan),
  })
  return Object.fromEntries(plans.map((plan) => [plan, ratesOf(plan)])) as Record<PlanName, PlanRates>
}
