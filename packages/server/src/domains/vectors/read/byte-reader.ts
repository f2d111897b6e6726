import type { Readable } from 'node:stream'
import { VectorFailure } from '../vector-failure.ts'

/** Takes bytes off a stream in order. */
export interface ByteReader {
  /** The next bytes; null where the stream has ended before the first of them. Throws `damaged` where it ends within. */
  take(count: number): Promise<Buffer | null>
  /** Ends the stream. */
  close(): void
}

/** @param name of the file, for the failure. */
export function byteReader(stream: Readable, name: string): ByteReader {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let held: Buffer = Buffer.alloc(0)
  const fill = async (count: number): Promise<void> => {
    const parts = [held]
    let total = held.length
    while (total < count) {
      const { done, value } = await chunks.next()
      if (done) break
      parts.push(value)
      total += value.length
    }
    held = parts.length === 1 ? held : Buffer.concat(parts)
  }
  return {
    take: async (count) => {
      if (held.length < count) await fill(count)
      if (held.length === 0 && count > 0) return null
      if (held.length < count) {
        throw new VectorFailure('damaged', `The file "${name}" ends too early. Send it again, whole.`)
      }
      const taken = held.subarray(0, count)
      held = held.subarray(count)
      return taken
    },
    close: () => void stream.destroy(),
  }
}
