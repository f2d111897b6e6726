import { addProtocol } from 'maplibre-gl'
import type { Client } from '@swath/client/client.ts'

/** Urls `platform://<path>` of the map are requested with the token of the signed-in person. */
export const tileProtocol = 'platform'

const max_attempts = 3
const max_wait_s = 10

/** As the map's own errors of requests, it has a status; 0 without an answer. */
class TileError extends Error {
  readonly status: number
  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Lets the map request tiles of the platform. A tile outside the data (404, 204) is empty, not an error. */
export function registerPlatformTiles(client: Client): void {
  addProtocol(tileProtocol, async ({ url }, { signal }) => {
    const path = url.slice(`${tileProtocol}://`.length)
    const response = await fetchTile(client, path, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new TileError('The platform did not answer a tile.', 0, { cause: error })
    })
    if (response.status === 404 || response.status === 204) return { data: new ArrayBuffer(0) }
    if (!response.ok) throw new TileError(`The platform answered a tile with ${response.status}.`, response.status)
    return { data: await response.arrayBuffer() }
  })
}

/** A busy platform says when to try again; the map cancels a tile that has left the view meanwhile. */
async function fetchTile(client: Client, path: string, signal: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await client.fetch(path, { signal })
    if (![429, 503].includes(response.status) || attempt === max_attempts) return response
    const wait_s = Math.min(Number(response.headers.get('retry-after')) || attempt, max_wait_s)
    await waitFor(wait_s * 1000, signal)
  }
}

/** Rejects as soon as the signal is aborted. */
function waitFor(time_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, time_ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
