import { RasterFailure } from '../failures.ts'
import type { Source } from '../types.ts'

/** What was asked of a source since it began to be counted. */
export interface ReadCount {
  readonly reads: number
  /** Bytes that came back. */
  readonly bytes: number
}

export interface ReadLimits {
  readonly reads?: number
  /** Bytes that may be asked for. */
  readonly bytes?: number
  /** Called before each read, for what several sources share; throws where nothing is left of it. */
  readonly take?: () => void
}

/**
 * The same source, with a count of what is read through it: for a line of log, or as a budget of one request. Beyond the
 * limits a read ends with a `budget` failure before anything is asked. Closing is left to the source itself.
 */
export function countingSource(source: Source, limits: ReadLimits = {}): Source & { readonly count: ReadCount } {
  const { reads: mostReads = Infinity, bytes: mostBytes = Infinity, take } = limits
  const count = { reads: 0, bytes: 0 }
  let asked = 0
  const begin = (length: number): void => {
    take?.()
    asked += length
    if (++count.reads > mostReads) throw new RasterFailure('budget', `more than ${mostReads} reads of one file`)
    if (asked > mostBytes) throw new RasterFailure('budget', `more than ${mostBytes} bytes of one file`)
  }
  const { readSync } = source
  return {
    count,
    id: source.id,
    get size() {
      return source.size
    },
    get etag() {
      return source.etag
    },
    path: source.path,
    async read(offset, length, signal) {
      begin(length)
      const bytes = await source.read(offset, length, signal)
      count.bytes += bytes.byteLength
      return bytes
    },
    ...(readSync && {
      readSync: (offset: number, into: Uint8Array) => {
        begin(into.byteLength)
        const bytes = readSync.call(source, offset, into)
        count.bytes += bytes
        return bytes
      },
    }),
    close: async () => {},
  }
}
