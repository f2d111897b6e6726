import { rangedSource, RasterFailure, type Source } from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import type { SafeFetch } from '../../platform/outside/outside.ts'

const timeout_ms = 5000

const refused = (detail: string): Problem => new Problem('upstream', detail)

/** A file on a server that is not ours, read range by range through the guarded fetcher. */
export function outsideSource(fetch: SafeFetch, url: string, limit_reads: number): Source {
  let reads = 0
  return rangedSource(url, undefined, async (offset, length, signal) => {
    reads++
    if (reads > limit_reads) throw new RasterFailure('budget', `the file takes more than ${limit_reads} reads`)
    const answer = await fetch(url, {
      headers: { range: `bytes=${offset}-${offset + length - 1}`, 'accept-encoding': 'identity' },
      timeout_ms,
      limit_bytes: length,
      signal,
    })
    if (answer.status === 206) return checked(answer.headers['content-range'], offset, answer.body)
    // The range begins behind the end of the file.
    if (answer.status === 416) return new Uint8Array(0)
    // A file that is shorter than the first range may come whole.
    if (answer.status === 200 && offset === 0) return answer.body
    throw refused(
      answer.status === 200
        ? 'The server of the file does not serve ranges of it.'
        : `The server of the file answered with status ${answer.status}.`,
    )
  })
}

function checked(range: string | undefined, offset: number, body: Uint8Array): Uint8Array {
  const start = /^bytes (\d+)-/.exec(range ?? '')?.[1]
  if (Number(start) !== offset)
    throw refused('The server of the file answered with another range than the one asked for.')
  return body
}
