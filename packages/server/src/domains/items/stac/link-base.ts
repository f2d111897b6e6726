import type { Call } from '../../../engine/call.ts'
import { validationProblem } from '../../../engine/problem.ts'

/** The base URL of links in a response: the requested one, else that of the request. */
export function resolveLinkBase(call: Pick<Call, 'baseUrl'>, requested: string | null | undefined): string {
  const { baseUrl } = call
  if (!requested || requested === baseUrl) return baseUrl
  const url = URL.canParse(requested) ? new URL(requested) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash) {
    throw validationProblem([{ path: 'base_url', message: 'is not an http URL without query and fragment' }])
  }
  return requested.replace(/(?<!\/)\/+$/, '')
}
