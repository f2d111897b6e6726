import { rangedSource, RasterFailure, type Source } from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import {
  OutsideFailure,
  type OutsideFailureKind,
  type SafeFetch,
  type SafeResponse,
} from '../../platform/outside/outside.ts'

const timeout_ms = 5000

/** Places where we do not go, told apart from hosts that fail. */
const forbidden: ReadonlySet<OutsideFailureKind> = new Set(['address', 'scheme', 'port', 'redirect'])

/** A file on a server that is not ours, read range by range through the guarded fetcher. */
export function outsideSource(ask: SafeFetch, url: string, limit_reads: number): Source {
  let reads = 0
  return rangedSource(url, undefined, async (offset, length, signal) => {
    reads++
    if (reads > limit_reads) throw new RasterFailure('budget', `the file takes more than ${limit_reads} reads`)
    const range = `bytes=${offset}-${offset + length - 1}`
    const headers = { range, 'accept-encoding': 'identity' }
    const answer = await named(ask(url, { headers, timeout_ms, limit_bytes: length, signal }))
    // 416: the range begins behind the end of the file.
    if (answer.status === 416) return new Uint8Array(0)
    if (answer.status === 206) return answer.body
    throw new Problem('upstream', `The server of the file answered with status ${answer.status}.`)
  })
}

async function named(answer: Promise<SafeResponse>): Promise<SafeResponse> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error
    throw new Problem(forbidden.has(error.kind) ? 'forbidden' : 'upstream', error.message)
  }
}
