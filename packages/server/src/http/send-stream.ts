import type { ServerResponse } from 'node:http'

/** Sent bytes are reported in steps of this size, so that a long transfer is counted before its end. */
const report_interval_bytes = 64 * 1024 * 1024

/** Called with the bytes that were sent; `ended` is true once, also if the client disconnects. */
export type BytesSentListener = (bytes: number, ended: boolean) => void

/**
 * Sends a stream with backpressure and reports the bytes sent. A client that stops reading is disconnected by the server
 * (`createLimitedServer`).
 */
export async function sendStream(
  stream: ReadableStream<Uint8Array>,
  response: ServerResponse,
  onSent: BytesSentListener,
): Promise<void> {
  let unreported_bytes = 0
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      await writeChunk(response, value)
      unreported_bytes += value.byteLength
      if (unreported_bytes < report_interval_bytes) continue
      onSent(unreported_bytes, false)
      unreported_bytes = 0
    }
    response.end()
  } catch (error) {
    // The client disconnected or the disk failed: the announced length cannot be sent, so the connection is closed.
    response.destroy()
    await reader.cancel(error).catch(() => undefined)
  }
  onSent(unreported_bytes, true)
}

const writeChunk = (response: ServerResponse, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the connection was closed'))
    if (response.destroyed) return onClose()
    response.once('close', onClose)
    response.write(chunk, (error) => {
      response.off('close', onClose)
      if (error) reject(error)
      else resolve()
    })
  })
