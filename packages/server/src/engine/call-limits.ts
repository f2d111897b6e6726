import type { Operation } from '@swath/contract/operation.ts'
import type { CallRates } from '../platform/rate-limits/call-rates.ts'
import type { RateLimit, RateLimiter, RateLimitState, RateLimitUnit } from '../platform/rate-limits/rate-limit.ts'
import type { Principal } from './call.ts'
import { Problem } from './problem.ts'

/** Operations that have a rate limit of their own, in addition to the limit on all calls of an organization. */
const orderPlacements: ReadonlySet<string> = new Set(['orders.archive.place', 'orders.place', 'orders.tasking.place'])

type Counted = readonly [limit: RateLimit, subject: string]

/** Receives the state of the rate limits that a call was counted against or rejected by; later reports add to earlier ones. */
export interface LimitListener {
  tellLimits?(states: readonly RateLimitState[]): void
}

/** Counts a call against the limits of its principal; throws `rate-limited`. Returns no promise if the count is in memory. */
export type AdmitCall = (principal: Principal, operation: Operation, request: LimitListener) => void | Promise<void>

/** Calls without a token have no principal yet: the operations themselves count those by IP address. */
export function createCallLimits(limiter: RateLimiter, rates: CallRates): AdmitCall {
  return (principal, operation, request) => {
    const subject = principal.organization ?? principal.user
    if (subject === null) return
    const plan = rates[principal.plan ?? 'free']
    const calls = limiter.take(plan.calls, subject)
    // The common case: one limit, counted in memory, so no promise is made.
    if (operation.effect !== 'spend' && principal.rate_limit === undefined && !(calls instanceof Promise)) {
      return settle([calls], request)
    }
    return settleAll(limiter, calls, furtherLimits(principal, operation, rates, subject), request)
  }
}

function furtherLimits(principal: Principal, { id, effect }: Operation, rates: CallRates, subject: string): Counted[] {
  const { orders, spending } = rates[principal.plan ?? 'free']
  return [
    ...(principal.rate_limit === undefined ? [] : [[keyLimit(principal.rate_limit), principal.id] as const]),
    ...(effect === 'spend' ? [[orderPlacements.has(id) ? orders : spending, subject] as const] : []),
  ]
}

const keyLimit = (max: number): RateLimit => ({ name: 'key', max, window_ms: 60_000 })

async function settleAll(
  limiter: RateLimiter,
  first: RateLimitUnit | Promise<RateLimitUnit>,
  further: readonly Counted[],
  request: LimitListener,
): Promise<void> {
  const units = [await first]
  for (const [limit, subject] of further) {
    if (units.at(-1)!.refused) break
    units.push(await limiter.take(limit, subject))
  }
  settle(units, request)
}

/** A call that one limit rejects is not counted against any of them. */
function settle(units: readonly RateLimitUnit[], request: LimitListener): void {
  request.tellLimits?.(units)
  const last = units.at(-1)!
  if (!last.refused) return
  for (const unit of units) unit.giveBack()
  const { limit, reset_s: retry_after_s } = last
  const sentence = `More than ${limit.max} ${whatIsCounted[limit.name] ?? 'calls'} within a minute. Try again in ${retry_after_s} s.`
  throw new Problem('rate-limited', sentence, { retry_after_s, 'violated-policies': [limit.name] })
}

const whatIsCounted: Readonly<Record<string, string>> = {
  default: 'calls of the organization',
  key: 'calls with the API key',
  orders: 'orders of the organization',
  spending: 'calls of the organization that spend',
}
