import type { Readable } from 'node:stream'
import { parseJson } from '../engine/parse-json.ts'
import { Problem } from '../engine/problem.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The bytes of a body; throws `too-large` beyond the limit, without reading further. */
export function readBytes(stream: Readable, limit_bytes: number, announced: number | null): Promise<Buffer> {
  const refusal = (): Problem => new Problem('too-large', `A body may have at most ${limit_bytes} bytes.`)
  if (announced !== null && announced > limit_bytes) return Promise.reject(refusal())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit_bytes) {
        stream.pause()
        reject(refusal())
      } else chunks.push(chunk)
    })
    stream.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    stream.on('error', reject)
    stream.on('close', () => {
      if (!stream.readableEnded) reject(new Problem('malformed', 'The body ended before it was complete.'))
    })
  })
}

/** What a body says in JSON: undefined for an empty one. Throws `malformed` or `validation`. */
export const readJson = (bytes: Uint8Array): unknown => (bytes.length === 0 ? undefined : parseJson(decode(bytes)))

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('malformed', 'The body is not valid UTF-8.')
  }
}
