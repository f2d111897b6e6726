import { open } from 'node:fs/promises'
import { SafeFetchFailure, type SafeFetch } from '../../integrations.ts'
import type { HostRequestSigner } from '../signing.ts'

const mebibyte = 1024 * 1024
const part_bytes = 8 * mebibyte
/** A server that does not support ranges has to send the file at once, into memory. */
const max_unranged_bytes = 256 * mebibyte
const part_timeout_ms = 60_000
const max_attempts = 3

export interface FileDownloadOptions {
  readonly fetch: SafeFetch
  readonly sign: HostRequestSigner
  readonly max_bytes: number
}

/** Downloads a file part by part, so that memory does not grow with it. Throws if it exceeds `max_bytes`. */
export async function downloadFile(
  url: string,
  localPath: string,
  options: FileDownloadOptions,
  signal: AbortSignal,
): Promise<void> {
  const file = await open(localPath, 'w')
  try {
    let etag: string | null = null
    for (let offset = 0, total = 1; offset < total;) {
      const part = await readPart(url, offset, options, signal)
      if (part.total > options.max_bytes) throw tooLarge(options.max_bytes)
      if (part.bytes.length === 0) throw new Error('the host ended the file early')
      if (etag !== null && part.etag !== null && part.etag !== etag)
        throw new Error('the file changed while it was downloaded')
      await file.write(part.bytes, 0, part.bytes.length, offset)
      offset += part.bytes.length
      total = part.total
      etag ??= part.etag
    }
  } finally {
    await file.close()
  }
}

const tooLarge = (max_bytes: number): Error => new Error(`the file is larger than ${max_bytes} bytes`)

interface FilePart {
  readonly bytes: Uint8Array
  readonly total: number
  readonly etag: string | null
}

async function readPart(
  url: string,
  offset: number,
  options: FileDownloadOptions,
  signal: AbortSignal,
): Promise<FilePart> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await requestPart(url, offset, options, signal)
    } catch (error) {
      signal.throwIfAborted()
      const kind = error instanceof SafeFetchFailure ? error.kind : null
      if (kind === 'range' && offset === 0) return requestWhole(url, options, signal)
      if ((kind !== 'connection' && kind !== 'timeout') || attempt === max_attempts) throw error
    }
  }
}

async function requestPart(
  url: string,
  offset: number,
  { fetch, sign }: FileDownloadOptions,
  signal: AbortSignal,
): Promise<FilePart> {
  const signed = await sign({ url, headers: { range: `bytes=${offset}-${offset + part_bytes - 1}` } })
  const limits = { limit_bytes: part_bytes, timeout_ms: part_timeout_ms }
  const { status, headers, body } = await fetch(signed.url, { headers: signed.headers, ...limits, signal })
  if (status !== 206) throw new Error(`the host of the file returned the status ${status}`)
  const total = Number(/\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1] ?? Number.NaN)
  // Without a total, a short part is the last one.
  const end = body.length < part_bytes ? offset + body.length : Number.MAX_SAFE_INTEGER
  return { bytes: body, total: Number.isNaN(total) ? end : total, etag: headers['etag'] ?? null }
}

async function requestWhole(url: string, options: FileDownloadOptions, signal: AbortSignal): Promise<FilePart> {
  const signed = await options.sign({ url, headers: {} })
  const limit_bytes = Math.min(max_unranged_bytes, options.max_bytes)
  const { status, headers, body } = await options.fetch(signed.url, {
    headers: signed.headers,
    limit_bytes,
    timeout_ms: 5 * part_timeout_ms,
    signal,
  })
  if (status !== 200) throw new Error(`the host of the file returned the status ${status}`)
  return { bytes: body, total: body.length, etag: headers['etag'] ?? null }
}
