import type { RasterByteSource } from '../../types.ts'

/**
 * Wraps a source and caches its first bytes with one read, so that the header and block tables of a COG need one request.
 * Synchronously readable sources are returned unchanged.
 */
export function createHeaderCachingSource(source: RasterByteSource, bytes = 32_768): RasterByteSource {
  if (source.readSync) return source
  let head: Uint8Array | null = null
  return {
    id: source.id,
    get size() {
      return source.size
    },
    get etag() {
      return source.etag
    },
    path: source.path,
    async read(offset, length, signal) {
      const end = Math.min(offset + length, source.size ?? Infinity)
      if (head && offset >= 0 && end <= head.byteLength) return head.subarray(offset, Math.max(offset, end))
      if (offset !== 0 || head) return source.read(offset, length, signal)
      const first = await source.read(0, Math.max(length, bytes), signal)
      // Bytes after the header were requested once and need not be stored.
      head ??= first.byteLength > bytes ? first.slice(0, bytes) : first
      return first.subarray(0, length)
    },
    close: () => source.close(),
  }
}
