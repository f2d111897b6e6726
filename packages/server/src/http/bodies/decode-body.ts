import type { Readable } from 'node:stream'
import zlib from 'node:zlib'
import { Problem } from '../../engine/problem.ts'
import { drainBody } from './drain-body.ts'

/** How a body is decoded, by its coding (RFC 9110 8.4.1). */
const decoders: Readonly<Record<string, () => ReturnType<typeof zlib.createGunzip>>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
}

/** Codings that bodies of requests may have. */
const acceptedCodings = 'gzip, deflate, br, zstd'

/**
 * The decoded body of a request, which its reader must limit; once it is destroyed, the rest of the request is drained. Throws `unsupported-media-type` for another coding, or several.
 * A body that is not of its coding ends with an error (`toCodingProblem`).
 */
export function decodeBody(body: Readable, contentEncoding: string | undefined): Readable {
  const coding = contentEncoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return body
  const createDecoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (!createDecoder) {
    drainBody(body)
    const message = `Bodies may have one of the codings ${acceptedCodings}, not "${coding.slice(0, 100)}".`
    throw new Problem('unsupported-media-type', message, { accept_encoding: acceptedCodings })
  }
  const decoder = createDecoder()
  body.on('error', (error) => decoder.destroy(error))
  body.on('close', () => {
    if (!body.readableEnded) decoder.destroy(new Problem('malformed', 'The body ended before it was complete.'))
  })
  decoder.on('close', () => {
    body.unpipe(decoder)
    drainBody(body)
  })
  return body.pipe(decoder)
}

/** The problem of a body that is not of its coding; other errors are returned unchanged. */
export const toCodingProblem = (error: unknown): unknown =>
  /^(?:Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING|ZSTD_)/.test(String((error as { code?: unknown } | null)?.code ?? ''))
    ? new Problem('malformed', 'The body is not of the coding that its Content-Encoding names.')
    : error
