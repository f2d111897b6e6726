import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'
import { longestPassword_bytes } from '../../platform/crypto/passwords.ts'

/** The end of a link, which lies ahead. Throws `validation`. */
export function readEnd(call: Call, text: string): Date {
  const end = new Date(text)
  if (end > call.clock.now(call.organization)) return end
  throw validationProblem([{ path: 'expires_at', message: 'must lie in the future' }])
}

/** A password that can be hashed. Throws `validation`. */
export function readPassword(text: string): string {
  if (Buffer.byteLength(text.normalize('NFKC')) <= longestPassword_bytes) return text
  throw validationProblem([{ path: 'password', message: `has more than ${longestPassword_bytes} bytes` }])
}
