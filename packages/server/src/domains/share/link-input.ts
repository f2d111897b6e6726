import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'
import { max_password_bytes } from '../../platform/crypto/passwords.ts'

/** The expiry of a link: in the future and at most a year ahead. Throws `validation`. */
export function parseShareLinkExpiry(call: Call, text: string): Date {
  const expiresAt = new Date(text)
  const ahead_ms = expiresAt.getTime() - call.clock.now().getTime()
  if (ahead_ms <= 0) throw validationProblem([{ path: 'expires_at', message: 'must be in the future' }])
  if (ahead_ms <= limits.max_share_link_days * day_ms) return expiresAt
  const message = `must be at most ${limits.max_share_link_days} days ahead`
  throw validationProblem([{ path: 'expires_at', message }])
}

/** A password that is short enough to hash. Throws `validation`. */
export function parseShareLinkPassword(text: string): string {
  if (Buffer.byteLength(text.normalize('NFKC')) <= max_password_bytes) return text
  throw validationProblem([{ path: 'password', message: `has more than ${max_password_bytes} bytes` }])
}
