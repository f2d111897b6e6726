import type { Readable } from 'node:stream'

/** A rejected body may have this many bytes left and take this long; then its connection is closed. */
const max_drained_bytes = 16 * 1024 * 1024
const max_drain_ms = 10_000
/** The pause after each chunk of at most 64 KiB: callers who send rejected bodies as fast as they can must not occupy a core. */
const pause_ms = 10

/**
 * Reads and discards the rest of a rejected body, at most about 6 MB/s: on a keep-alive connection the next request follows
 * it. A body that exceeds the limits is destroyed together with its connection.
 */
export function drainBody(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return
  let remaining_bytes = max_drained_bytes
  let nextRead: NodeJS.Timeout | undefined
  const timeout = setTimeout(() => stream.destroy(), max_drain_ms)
  timeout.unref()
  stream.on('data', (chunk: Uint8Array) => {
    remaining_bytes -= chunk.byteLength
    if (remaining_bytes < 0) return void stream.destroy()
    stream.pause()
    nextRead = setTimeout(() => stream.resume(), pause_ms)
  })
  stream.on('error', () => undefined)
  for (const end of ['end', 'close'] as const) {
    stream.once(end, () => {
      clearTimeout(timeout)
      clearTimeout(nextRead)
    })
  }
  stream.resume()
}
