import type { Operation } from '@swath/contract/operation.ts'
import type { PlanRateLimits } from '../../platform/rate-limits/plan-rate-limits.ts'
import type { RateLimit, RateLimiter, RateLimitState, RateLimitUnit } from '../../platform/rate-limits/rate-limit.ts'
import type { Principal } from '../call.ts'
import { Problem } from '../problem.ts'

/** Operations that have a rate limit of their own, in addition to the limit on all calls of an organization. */
const orderPlacementIds: ReadonlySet<string> = new Set(['orders.archive.place', 'orders.place', 'orders.tasking.place'])

type CountedLimit = readonly [limit: RateLimit, subject: string]

/** Receives the state of the rate limits that a call was counted against or rejected by; later reports add to earlier ones. */
export interface RateLimitReporter {
  reportRateLimits?(states: readonly RateLimitState[]): void
}

/** Counts a call against the limits of its principal; throws `rate-limited`. Returns no promise if the count is in memory. */
export type EnforceRateLimits = (
  principal: Principal,
  operation: Operation,
  request: RateLimitReporter,
) => void | Promise<void>

/** Calls without a token have no principal yet: the operations themselves count those by IP address. */
export function createRateLimitEnforcer(limiter: RateLimiter, rates: PlanRateLimits): EnforceRateLimits {
  return (principal, operation, request) => {
    const subject = principal.organization ?? principal.user
    if (subject === null) return
    const plan = rates[principal.plan ?? 'free']
    const callUnit = limiter.take(plan.calls, subject)
    // The common case: one limit, counted in memory, so no promise is made.
    if (operation.effect !== 'spend' && principal.rate_limit === undefined && !(callUnit instanceof Promise)) {
      return reportAndEnforce([callUnit], request)
    }
    return takeAndEnforceAll(limiter, callUnit, additionalLimits(principal, operation, rates, subject), request)
  }
}

function additionalLimits(
  principal: Principal,
  { id, effect }: Operation,
  rates: PlanRateLimits,
  subject: string,
): CountedLimit[] {
  const { orders, spending } = rates[principal.plan ?? 'free']
  return [
    ...(principal.rate_limit === undefined ? [] : [[keyLimit(principal.rate_limit), principal.id] as const]),
    ...(effect === 'spend' ? [[orderPlacementIds.has(id) ? orders : spending, subject] as const] : []),
  ]
}

const keyLimit = (max: number): RateLimit => ({ name: 'key', max, window_ms: 60_000 })

async function takeAndEnforceAll(
  limiter: RateLimiter,
  first: RateLimitUnit | Promise<RateLimitUnit>,
  additional: readonly CountedLimit[],
  request: RateLimitReporter,
): Promise<void> {
  const units = [await first]
  for (const [limit, subject] of additional) {
    if (units.at(-1)!.refused) break
    units.push(await limiter.take(limit, subject))
  }
  reportAndEnforce(units, request)
}

/** A call that one limit rejects is not counted against any of them. */
function reportAndEnforce(units: readonly RateLimitUnit[], request: RateLimitReporter): void {
  request.reportRateLimits?.(units)
  const last = units.at(-1)!
  if (!last.refused) return
  for (const unit of units) unit.release()
  const { limit, reset_s: retry_after_s } = last
  const message = `More than ${limit.max} ${countedUnits[limit.name] ?? 'calls'} within a minute. Try again in ${retry_after_s} s.`
  throw new Problem('rate-limited', message, { retry_after_s, 'violated-policies': [limit.name] })
}

const countedUnits: Readonly<Record<string, string>> = {
  default: 'calls of the organization',
  key: 'calls with the API key',
  orders: 'orders of the organization',
  spending: 'calls of the organization that spend',
}
