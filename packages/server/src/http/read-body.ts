import type { Readable } from 'node:stream'
import { parseJson } from '../engine/parse-json.ts'
import { Problem } from '../engine/problem.ts'
import { discardRest } from './discard-rest.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads a body; throws `too-large` beyond the limit and then drains the rest, within bounds. */
export function readBytes(stream: Readable, limit_bytes: number, announced: number | null): Promise<Buffer> {
  const refusal = (): Problem => new Problem('too-large', `A body may have at most ${limit_bytes} bytes.`)
  if (announced !== null && announced > limit_bytes) {
    discardRest(stream)
    return Promise.reject(refusal())
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limit_bytes) return void chunks.push(chunk)
      stream.off('data', take)
      chunks.length = 0
      discardRest(stream)
      reject(refusal())
    }
    stream.on('data', take)
    stream.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const incomplete = (): Problem => new Problem('malformed', 'The body ended before it was complete.')
    // Node emits a stream error if a connection ends inside a body.
    stream.on('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ECONNRESET' ? incomplete() : error))
    stream.on('close', () => {
      if (!stream.readableEnded) reject(incomplete())
    })
  })
}

/** Parses a JSON body; undefined if it is empty. Throws `malformed` or `validation`. */
export const readJson = (bytes: Uint8Array): unknown => (bytes.length === 0 ? undefined : parseJson(decode(bytes)))

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('malformed', 'The body is not valid UTF-8.')
  }
}
