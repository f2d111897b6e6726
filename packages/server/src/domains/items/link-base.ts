import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'

/** What the links of an answer begin with: the address that was asked for, else the one the caller came by. */
export function linkBase(call: Pick<Call, 'baseUrl'>, asked: string | null | undefined): string {
  if (!asked) return call.baseUrl
  const url = URL.canParse(asked) ? new URL(asked) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash) {
    throw validationProblem([{ path: 'base_url', message: 'is no http address without query and fragment' }])
  }
  return asked.replace(/(?<!\/)\/+$/, '')
}
