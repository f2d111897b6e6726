import { RasterFailure } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'

/** Reads of a source since counting started. */
export interface SourceReadCount {
  readonly reads: number
  /** Bytes that were returned. */
  readonly bytes: number
}

export interface SourceReadLimits {
  readonly reads?: number
  /** Maximum requested bytes. */
  readonly bytes?: number
  /** Called before each read, for a budget that several sources share; throws if it is used up. */
  readonly beforeRead?: () => void
}

/**
 * Wraps a source and counts its reads, for logging or as the budget of a request. Beyond the limits a read fails with
 * `budget` before anything is requested. Closing is left to the wrapped source.
 */
export function createCountingSource(
  source: RasterByteSource,
  limits: SourceReadLimits = {},
): RasterByteSource & { readonly count: SourceReadCount } {
  const { reads: mostReads = Infinity, bytes: mostBytes = Infinity, beforeRead } = limits
  const count = { reads: 0, bytes: 0 }
  let asked = 0
  const begin = (length: number): void => {
    beforeRead?.()
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
