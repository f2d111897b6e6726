import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'

/** The base URL of links in a response: the requested one, else that of the request. */
export function linkBase(call: Pick<Call, 'baseUrl'>, asked: string | null | undefined): string {
  if (!asked) return call.baseUrl
  const url = URL.canParse(asked) ? new URL(asked) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash) {
    throw validationProblem([{ path: 'base_url', message: 'is not an http URL without query and fragment' }])
  }
  return asked.replace(/(?<!\/)\/+$/, '')
}
