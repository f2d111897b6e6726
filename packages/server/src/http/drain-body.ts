import type { Readable } from 'node:stream'

/** A rejected body may have this many bytes left and take this long; then its connection is closed. */
const max_drained_bytes = 16 * 1024 * 1024
const max_drain_ms = 10_000

/**
 * Reads and discards the rest of a rejected body: on a keep-alive connection the next request follows it. A body that
 * exceeds the limits is destroyed together with its connection.
 */
export function drainBody(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return
  let remaining_bytes = max_drained_bytes
  const timeout = setTimeout(() => stream.destroy(), max_drain_ms)
  timeout.unref()
  stream.on('data', (chunk: Uint8Array) => {
    remaining_bytes -= chunk.byteLength
    if (remaining_bytes < 0) stream.destroy()
  })
  stream.on('error', () => undefined)
  for (const end of ['end', 'close'] as const) stream.once(end, () => clearTimeout(timeout))
  stream.resume()
}
