import type { ServerResponse } from 'node:http'

/** What has left is told in portions of this, so that a long transfer is known before its end. */
const portion_bytes = 64 * 1024 * 1024

/** Hears of bytes that the network took; `ended` once, also where the client went away. */
export type SentListener = (bytes: number, ended: boolean) => void

/**
 * Writes a stream to the client at the client's pace, telling the bytes that the network took. A client that takes nothing
 * any more is given up by the server (`limitConnections`).
 */
export async function pour(
  stream: ReadableStream<Uint8Array>,
  response: ServerResponse,
  onSent: SentListener,
): Promise<void> {
  let untold = 0
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      await writeChunk(response, value)
      untold += value.byteLength
      if (untold < portion_bytes) continue
      onSent(untold, false)
      untold = 0
    }
    response.end()
  } catch (error) {
    // The client went away or the disk failed: the length that was promised cannot be kept, so the connection ends.
    response.destroy()
    await reader.cancel(error).catch(() => undefined)
  }
  onSent(untold, true)
}

const writeChunk = (response: ServerResponse, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the connection was closed'))
    if (response.destroyed) return gone()
    response.once('close', gone)
    response.write(chunk, (error) => {
      response.off('close', gone)
      if (error) reject(error)
      else resolve()
    })
  })
