import type { RasterByteSource } from '../../types.ts'

/** A source over bytes in memory; reads are views, not copies. */
export function createMemorySource(bytes: Uint8Array, id: string): RasterByteSource {
  return {
    id,
    size: bytes.byteLength,
    read: async (offset, length) => bytes.subarray(offset, Math.min(bytes.byteLength, offset + length)),
    close: async () => {},
  }
}
