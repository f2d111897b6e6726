import type { Readable } from 'node:stream'

/** What is left of a refused body may be this much and take this long; then its connection ends. */
const rest_bytes = 16 * 1024 * 1024
const rest_ms = 10_000

/**
 * Reads what is left of a body that nobody wants and forgets it: on a kept connection the next request stands behind
 * it. A body that goes on for too long is destroyed, and its connection with it.
 */
export function discardRest(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return
  let left = rest_bytes
  const late = setTimeout(() => stream.destroy(), rest_ms)
  late.unref()
  stream.on('data', (chunk: Uint8Array) => {
    left -= chunk.byteLength
    if (left < 0) stream.destroy()
  })
  stream.on('error', () => undefined)
  for (const end of ['end', 'close'] as const) stream.once(end, () => clearTimeout(late))
  stream.resume()
}
