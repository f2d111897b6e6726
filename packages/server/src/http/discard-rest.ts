import type { Readable } from 'node:stream'

/** A rejected body may have this many bytes left and take this long; then its connection is closed. */
const rest_bytes = 16 * 1024 * 1024
const rest_ms = 10_000

/**
 * Reads and discards the rest of a rejected body: on a keep-alive connection the next request follows it. A body that
 * exceeds the limits is destroyed together with its connection.
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
