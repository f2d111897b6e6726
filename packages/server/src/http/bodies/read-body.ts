import type { Readable } from 'node:stream'
import { parseJson } from '../../engine/input/parse-json.ts'
import { Problem } from '../../engine/problem.ts'
import { drainBody } from './drain-body.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body; throws `too-large` beyond the limit and then discards the rest, by default by draining it within bounds.
 */
export function readBodyBytes(
  stream: Readable,
  limit_bytes: number,
  content_length: number | null,
  discard: (stream: Readable) => unknown = drainBody,
): Promise<Buffer> {
  const tooLarge = (): Problem => new Problem('too-large', `A body may have at most ${limit_bytes} bytes.`)
  if (content_length !== null && content_length > limit_bytes) {
    discard(stream)
    return Promise.reject(tooLarge())
  }
  // A small body arrives with its headers.
  if (content_length !== null && content_length > 0 && stream.readableLength === content_length) {
    const body: unknown = stream.read()
    if (body instanceof Buffer && body.length === content_length) return Promise.resolve(body)
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const collect = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limit_bytes) return void chunks.push(chunk)
      stream.off('data', collect)
      chunks.length = 0
      discard(stream)
      reject(tooLarge())
    }
    stream.on('data', collect)
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
export const parseJsonBody = (bytes: Uint8Array): unknown =>
  bytes.length === 0 ? undefined : parseJson(decodeUtf8(bytes))

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('malformed', 'The body is not valid UTF-8.')
  }
}
