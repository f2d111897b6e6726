import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Lines are buffered up to this many characters, or for this long. */
const chunk_length = 128 * 1024
const latest_ms = 200
const again_ms = 5

/**
 * Writes lines to a file descriptor in chunks, one write at a time, and loses none at an orderly exit. The destination of
 * pino re-measures its whole buffer at every line, which costs more than the call that the line describes.
 */
export function chunkedOutput(descriptor: number): DestinationStream & { flushSync(): void } {
  let waiting: string[] = []
  let length = 0
  /** Taken from `pendingLines` and not yet written, in order. */
  const full: Buffer[] = []
  let busy = false

  const take = (): void => {
    if (length === 0) return
    full.push(Buffer.from(waiting.join('')))
    waiting = []
    length = 0
  }
  const next = (): void => {
    const chunk = full[0]
    if (busy || !chunk) return
    busy = true
    write(descriptor, chunk, 0, chunk.length, null, (error, written) => {
      busy = false
      if (error && error.code !== 'EAGAIN') full.length = 0
      else if (error) setTimeout(next, again_ms)
      else if (written < chunk.length) full[0] = chunk.subarray(written)
      else full.shift()
      if (!error) next()
    })
  }
  setInterval(() => {
    take()
    next()
  }, latest_ms).unref()

  const flushSync = (): void => {
    take()
    // The chunk whose write has started is already with the operating system.
    for (const chunk of full.splice(busy ? 1 : 0)) writeWhole(descriptor, chunk)
  }
  process.once('exit', flushSync)
  return {
    flushSync,
    write: (line) => {
      waiting.push(line)
      length += line.length
      if (length < chunk_length) return
      take()
      next()
    },
  }
}

/** At exit nothing can be deferred: a full pipe is retried, a closed one is abandoned. */
function writeWhole(descriptor: number, chunk: Buffer): void {
  for (let at = 0, tries = 0; at < chunk.length && tries < 1000;) {
    try {
      at += writeSync(descriptor, chunk, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      tries++
    }
  }
}
