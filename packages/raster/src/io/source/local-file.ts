import { checkCancelled } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'
import { openWatchedFile } from './descriptors.ts'
import { checkByteRange } from './range.ts'

/**
 * A local file for synchronous work: a worker opens by itself what another thread described by path, size and, if known,
 * the `etag` that `openFileSource` or `createOnDemandFileSource` gave it. Nothing is opened before the first read, and there
 * is nothing to close: the thread keeps the descriptors of the files that it read last. A file that is another one by now
 * ends in a `source` failure.
 */
export function openLocalFileSource(
  path: string,
  id: string,
  size: number | undefined,
  etag?: string,
): RasterByteSource {
  let file: ReturnType<typeof openWatchedFile> | null = null
  const readSync = (offset: number, into: Uint8Array): number => {
    file ??= openWatchedFile(path, { size, state: etag })
    return file.readInto(offset, into)
  }
  return {
    id,
    size,
    etag,
    path,
    readSync,
    async read(offset, length, signal) {
      checkCancelled(signal)
      checkByteRange(offset, length)
      file ??= openWatchedFile(path, { size, state: etag })
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, file.size - offset)))
      return bytes.subarray(0, readSync(offset, bytes))
    },
    close: async () => {},
  }
}
