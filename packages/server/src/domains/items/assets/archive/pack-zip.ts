import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** One file of an archive, opened only when it is written. */
export interface ZipSourceEntry {
  /** With forward slashes, unique in the archive. */
  readonly path: string
  readonly size: number
  readonly modified_at: Date
  open(): Promise<ReadableStream<Uint8Array>>
}

export interface StreamedZipArchive {
  /** Bytes of the whole archive. */
  readonly size: number
  readonly stream: ReadableStream<Uint8Array>
}

/**
 * A ZIP archive as a stream: uncompressed (rasters are already compressed), ZIP64 if sizes require it, one file open at
 * a time, nothing buffered. The stream fails if a file does not have the declared size. Cancelling it closes the file
 * that is being read.
 */
export async function streamZipArchive(entries: readonly ZipSourceEntry[]): Promise<StreamedZipArchive> {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  let currentFile: Readable | null = null
  let isClosed = false
  const fail = (error: unknown): void => {
    out.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', fail)
  out.once('close', () => {
    isClosed = true
    currentFile?.destroy()
  })
  // The reader receives the error; without a listener, an error before reading starts would end the process.
  out.on('error', () => {})
  const openEntry = async ({ open }: ZipSourceEntry): Promise<Readable> => {
    currentFile = Readable.from(await open(), { objectMode: false })
    currentFile.on('error', fail)
    if (isClosed) currentFile.destroy()
    return currentFile
  }
  for (const entry of entries) {
    const options = { size: entry.size, mtime: entry.modified_at, mode: 0o100644, compress: false }
    zip.addReadStreamLazy(entry.path, options, (callback) => {
      openEntry(entry).then((stream) => callback(null, stream), fail)
    })
  }
  // The type declarations lack the size callback; the size is known because all files are uncompressed.
  const end = zip.end.bind(zip) as (options: object, onSize: (size: number) => void) => void
  const size = await new Promise<number>((resolve) => end({}, resolve))
  return { size, stream: toWebStream(out) }
}

/** `Readable.toWeb` throws an uncaught error if it is cancelled while data is buffered. */
function toWebStream(readable: Readable): ReadableStream<Uint8Array> {
  const chunks = readable[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done: callback, value } = await chunks.next()
        if (callback) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void readable.destroy(),
    },
    { highWaterMark: 0 },
  )
}
