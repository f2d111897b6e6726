import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Lines wait for this many characters, or this long. */
const chunk_length = 128 * 1024
const latest_ms = 200
const again_ms = 5

/**
 * Writes lines to a file descriptor in chunks, one write at a time and nothing lost at an orderly exit. Pino's own
 * destination measures everything that waits again at every line, which costs more than the call that the line is about.
 */
export function chunkedOutput(descriptor: number): DestinationStream & { flushSync(): void } {
  let waiting: string[] = []
  let length = 0
  /** Taken off `waiting` and not written yet, in order. */
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
    // The chunk whose write has begun is in the hands of the system already.
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

/** At the exit there is no later: a pipe that takes no more is asked again, a closed one is given up. */
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
