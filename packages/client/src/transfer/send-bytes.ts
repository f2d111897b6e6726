import { readProblem } from '../problem.ts'

export interface SendOptions {
  readonly signal: AbortSignal
  /** Called with the bytes that have left so far. */
  readonly onSent: (sent_bytes: number) => void
}

/** Puts bytes to a signed URL. Throws `ApiProblem` if it refuses them, `TypeError` if the connection breaks. */
export type SendBytes = (url: string, bytes: Uint8Array<ArrayBuffer>, options: SendOptions) => Promise<void>

/** The media type that upload URLs are signed for by default: an object store accepts no other. */
export const uploadMediaType = 'application/octet-stream'

/** A connection that stalls is given up; the slowest one that is not sends this many bytes per second. */
const min_bytes_per_s = 20_000
const min_timeout_ms = 60_000

/** With `fetch`, which does not tell how much of a body has been sent: progress is told by part. */
export const sendBytes: SendBytes = async (url, bytes, { signal, onSent }) => {
  const timeout_ms = Math.max(min_timeout_ms, Math.ceil((bytes.length / min_bytes_per_s) * 1000))
  const response = await fetch(url, {
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': uploadMediaType },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
  })
  if (!response.ok) throw await readProblem(response)
  await response.body?.cancel()
  onSent(bytes.length)
}
