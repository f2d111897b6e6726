import type { FastifyReply } from 'fastify'
import type { RateLimit, RateLimitState } from '../platform/rate-limits/rate-limit.ts'

const policies = new WeakMap<RateLimit, string>()

/** `"default";q=600;w=60`; limits are few and long-lived, so each text is cached. */
function policyOf(limit: RateLimit): string {
  const cached = policies.get(limit)
  if (cached !== undefined) return cached
  const text = `"${limit.name}";q=${limit.max};w=${Math.round(limit.window_ms / 1000)}`
  policies.set(limit, text)
  return text
}

const stateOf = ({ limit, remaining, reset_s }: RateLimitState): string => `"${limit.name}";r=${remaining};t=${reset_s}`

/** Sets the RateLimit header fields (IETF draft); `t` is the number of seconds until the first units are restored. */
export function setRateLimitHeaders(reply: FastifyReply, states: readonly RateLimitState[]): void {
  const counted = states.filter(({ limit }) => limit.max > 0)
  if (counted.length === 0) return
  reply
    .header('ratelimit-policy', counted.map(({ limit }) => policyOf(limit)).join(', '))
    .header('ratelimit', counted.map(stateOf).join(', '))
}
