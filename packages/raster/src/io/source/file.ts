import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { RasterFailure, checkCancelled } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'
import { readFileInto, createFileReplacedFailure, readFileState } from './descriptors.ts'
import { checkByteRange } from './range.ts'

/** Opens a local file for reading; call `close` when done. Fails with `source` if the file cannot be opened. */
export async function openFileSource(path: string): Promise<RasterByteSource> {
  const handle = await openFile(path)
  const { size, etag } = await factsOf(handle).catch(async (failure: unknown) => {
    await handle.close()
    throw failure
  })
  return {
    id: path,
    size,
    etag,
    path,
    async read(offset, length, signal) {
      checkCancelled(signal)
      return readFully(handle, offset, length, size)
    },
    readSync: (offset, into) => readFileInto({ descriptor: handle.fd, size }, offset, into),
    close: () => handle.close(),
  }
}

/**
 * A local file that is open only during reads, for long-lived sources. If the file is replaced, reading fails with `source`.
 * `id` defaults to the path.
 */
export async function createOnDemandFileSource(path: string, id = path): Promise<RasterByteSource> {
  const { size, etag } = await withFile(path, factsOf)
  return {
    id,
    size,
    etag,
    path,
    async read(offset, length, signal) {
      checkCancelled(signal)
      return withFile(path, async (handle) => {
        if ((await factsOf(handle)).etag !== etag) throw createFileReplacedFailure()
        return readFully(handle, offset, length, size)
      })
    },
    close: async () => {},
  }
}

async function withFile<Answer>(path: string, work: (handle: FileHandle) => Promise<Answer>): Promise<Answer> {
  const handle = await openFile(path)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

const openFile = (path: string): Promise<FileHandle> => open(path, 'r').catch(notOpened)

function notOpened(cause?: unknown): never {
  throw new RasterFailure('source', 'the file cannot be opened', { cause })
}

async function factsOf(handle: FileHandle): Promise<{ size: number; etag: string }> {
  const stats = await handle.stat({ bigint: true })
  return stats.isFile() ? { size: Number(stats.size), etag: readFileState(stats) } : notOpened()
}

async function readFully(handle: FileHandle, offset: number, length: number, size: number): Promise<Uint8Array> {
  checkByteRange(offset, length)
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - offset)))
  let done = 0
  // One system call may return fewer bytes than were requested.
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, offset + done).catch((cause: unknown) => {
      throw new RasterFailure('source', `could not read bytes ${offset} to ${offset + length - 1}`, { cause })
    })
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}
