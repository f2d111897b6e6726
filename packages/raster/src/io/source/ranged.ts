import { RasterFailure, checkCancelled } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'

/**
 * A source over any function that reads byte ranges (a blob store, HTTP). The function may return fewer bytes only at the
 * end of the data; its errors become `source` failures.
 */
export function createRangedSource(
  id: string,
  size: number | undefined,
  read: (offset: number, length: number, signal?: AbortSignal) => Promise<Uint8Array>,
): RasterByteSource {
  return {
    id,
    size,
    async read(offset, length, signal) {
      checkCancelled(signal)
      const wanted = size === undefined ? length : Math.max(0, Math.min(length, size - offset))
      if (wanted === 0) return new Uint8Array(0)
      try {
        const bytes = await read(offset, wanted, signal)
        return bytes.byteLength > wanted ? bytes.subarray(0, wanted) : bytes
      } catch (cause) {
        checkCancelled(signal)
        throw new RasterFailure('source', `could not read bytes ${offset} to ${offset + wanted - 1}`, { cause })
      }
    },
    close: async () => {},
  }
}
