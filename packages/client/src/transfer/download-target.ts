import { TransferError } from './errors.ts'

/** What is known of a file before its download. */
export interface FileDescription {
  readonly size_bytes: number | null
  /** In hexadecimal. */
  readonly sha256: string | null
}

/** Where a download writes its bytes, in their order. */
export interface OpenDownload {
  /** The bytes that an earlier, interrupted download of the same file has left. */
  readonly kept_bytes: number
  /** The ETag that they belong to. */
  readonly etag: string | null
  /** Reads the kept bytes. */
  readKept(): AsyncIterable<Uint8Array>
  /** Called before the first byte with the ETag of the response, for a later attempt. */
  begin(etag: string | null): Promise<void>
  write(bytes: Uint8Array): Promise<void>
  /** All bytes are written and verified: the file takes its place. */
  commit(): Promise<void>
  /** Ends an attempt that failed, and keeps what it has written for the next one, where that is possible. */
  close(reason: unknown): Promise<void>
  /** Ends an attempt whose bytes are of no use. Throws if they cannot be taken back. */
  discard(reason: unknown): Promise<void>
}

export interface DownloadTarget {
  open(file: FileDescription): Promise<OpenDownload>
}

/**
 * Writes to a stream. It gets the bytes in their order and at its own pace, and is closed only if they were verified; else it is
 * aborted. What was written cannot be taken back, so that a file that changes meanwhile fails the download.
 */
export function streamTarget(stream: WritableStream<Uint8Array>): DownloadTarget {
  return {
    open: () => {
      const writer = stream.getWriter()
      let written_bytes = 0
      return Promise.resolve({
        kept_bytes: 0,
        etag: null,
        readKept: readNothing,
        begin: () => Promise.resolve(),
        write: async (bytes) => {
          await writer.ready
          written_bytes += bytes.length
          await writer.write(bytes)
        },
        commit: () => writer.close(),
        close: (reason) => writer.abort(reason).catch(() => undefined),
        discard: async (reason) => {
          if (written_bytes === 0) return writer.releaseLock()
          await writer.abort(reason).catch(() => undefined)
          throw reason instanceof Error ? reason : new TransferError(String(reason))
        },
      })
    },
  }
}

async function* readNothing(): AsyncGenerator<Uint8Array> {}

/** A file that the person chose or that belongs to the page (`FileSystemFileHandle`). */
export interface WritableFileHandle {
  createWritable(): Promise<WritableStream<Uint8Array>>
}

/**
 * Writes to a file of the browser. The browser replaces the file when the download has been verified, and leaves it as it is
 * otherwise; a reload begins anew.
 */
export const fileHandleTarget = (handle: WritableFileHandle): DownloadTarget => ({
  open: async (file) => streamTarget(await handle.createWritable()).open(file),
})
