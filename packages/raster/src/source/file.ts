import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { RasterFailure, checkCancelled } from '../failures.ts'
import type { Source } from '../types.ts'

/** Opens a local file for reading; call `close` when done. Ends with a `source` failure where the file cannot be opened. */
export async function fileSource(path: string): Promise<Source> {
  const handle = await open(path, 'r').catch((cause: unknown) => {
    throw new RasterFailure('source', 'the file cannot be opened', { cause })
  })
  const { size } = await handle.stat()
  return {
    id: path,
    size,
    async read(offset, length, signal) {
      checkCancelled(signal)
      return readFully(handle, offset, Math.max(0, Math.min(length, size - offset)))
    },
    close: () => handle.close(),
  }
}

// One read of the system may answer less than was asked for.
async function readFully(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}
