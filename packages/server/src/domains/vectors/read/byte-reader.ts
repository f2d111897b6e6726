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
export function createByteReader(stream: Readable, name: string): ByteReader {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let buffered: Buffer = Buffer.alloc(0)
  const fillBuffer = async (count: number): Promise<void> => {
    const parts = [buffered]
    let total = buffered.length
    while (total < count) {
      const { done, value } = await chunks.next()
      if (done) break
      parts.push(value)
      total += value.length
    }
    buffered = parts.length === 1 ? buffered : Buffer.concat(parts)
  }
  return {
    take: async (count) => {
      if (buffered.length < count) await fillBuffer(count)
      if (buffered.length === 0 && count > 0) return null
      if (buffered.length < count) {
        throw new VectorFailure('damaged', `The file "${name}" is truncated. Upload the complete file.`)
      }
      const bytes = buffered.subarray(0, count)
      buffered = buffered.subarray(count)
      return bytes
    },
    close: () => void stream.destroy(),
  }
}
