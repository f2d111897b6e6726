import type { Readable } from 'node:stream'
import { VectorFailure } from '../vector-failure.ts'

/** Reads bytes from a stream in order. */
export interface ByteReader {
  /** The next bytes; null at the end of the stream. Throws `damaged` if it ends in between. */
  take(count: number): Promise<Buffer | null>
  /** Closes the stream. */
  close(): void
}

/** @param name of the file, for the error message. */
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
        throw new VectorFailure('damaged', `The file "${name}" is truncated. Upload the complete file.`)
      }
      const taken = held.subarray(0, count)
      held = held.subarray(count)
      return taken
    },
    close: () => void stream.destroy(),
  }
}
