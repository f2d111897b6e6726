import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes a stream to a file in chunks; returns its size and SHA-256. */
export async function writeStreamToFile(
  source: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  path: string,
  signal: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  const count = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(Readable.from(source as AsyncIterable<Uint8Array>), count, createWriteStream(path), { signal })
  return { size, sha256: hash.digest('hex') }
}
