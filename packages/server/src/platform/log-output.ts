import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Lines are buffered up to this many characters, or for this long. */
const max_chunk_length = 128 * 1024
const flush_interval_ms = 200
const retry_delay_ms = 5

/**
 * Writes lines to a file descriptor in chunks, one write at a time, and loses none at an orderly exit. The destination of
 * pino re-measures its whole buffer at every line, which costs more than the call that the line describes.
 */
export function createBufferedLogOutput(descriptor: number): DestinationStream & { flushSync(): void } {
  let pendingLines: string[] = []
  let pendingLength = 0
  /** Taken from `pendingLines` and not yet written, in order. */
  const pendingChunks: Buffer[] = []
  let isWriting = false

  const takeChunk = (): void => {
    if (pendingLength === 0) return
    pendingChunks.push(Buffer.from(pendingLines.join('')))
    pendingLines = []
    pendingLength = 0
  }
  const writeNext = (): void => {
    const chunk = pendingChunks[0]
    if (isWriting || !chunk) return
    isWriting = true
    write(descriptor, chunk, 0, chunk.length, null, (error, written) => {
      isWriting = false
      if (error && error.code !== 'EAGAIN') pendingChunks.length = 0
      else if (error) setTimeout(writeNext, retry_delay_ms)
      else if (written < chunk.length) pendingChunks[0] = chunk.subarray(written)
      else pendingChunks.shift()
      if (!error) writeNext()
    })
  }
  setInterval(() => {
    takeChunk()
    writeNext()
  }, flush_interval_ms).unref()

  const flushSync = (): void => {
    takeChunk()
    // The chunk whose write has started is already with the operating system.
    for (const chunk of pendingChunks.splice(isWriting ? 1 : 0)) writeChunkSync(descriptor, chunk)
  }
  process.once('exit', flushSync)
  return {
    flushSync,
    write: (line) => {
      pendingLines.push(line)
      pendingLength += line.length
      if (pendingLength < max_chunk_length) return
      takeChunk()
      writeNext()
    },
  }
}

/** At exit nothing can be deferred: a full pipe is retried, a closed one is abandoned. */
function writeChunkSync(descriptor: number, chunk: Buffer): void {
  for (let offset = 0, attempts = 0; offset < chunk.length && attempts < 1000;) {
    try {
      offset += writeSync(descriptor, chunk, offset)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      attempts++
    }
  }
}
