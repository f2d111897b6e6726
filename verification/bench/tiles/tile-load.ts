import { connect, type Socket } from 'node:net'

interface TileLoad {
  readonly url: string
  /** Paths with query, each requested once, in this order. */
  readonly paths: readonly string[]
  readonly connections: number
}

interface TileLoadResult {
  readonly per_s: number
  readonly bytes: number
}

/**
 * Requests every path once over several keep-alive connections; returns tiles per second and the bytes of all bodies.
 * Throws unless every response is a 200 with a Content-Length, so that errors do not count as fast tiles.
 */
export async function loadTiles({ url, paths, connections }: TileLoad): Promise<TileLoadResult> {
  const { hostname, port, host } = new URL(url)
  let next = 0
  let bytes = 0
  const nextRequest = (): string | null => {
    const path = paths[next++]
    return path === undefined ? null : `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  }
  const start = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () =>
      runConnection(connect(Number(port), hostname), nextRequest, (length) => void (bytes += length)),
    ),
  )
  return { per_s: (paths.length * 1000) / (performance.now() - start), bytes }
}

/** One connection: a request, its whole response, the next request. */
function runConnection(
  socket: Socket,
  nextRequest: () => string | null,
  count: (bytes: number) => void,
): Promise<void> {
  socket.setNoDelay(true)
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    let remaining = -1
    const sendNext = (): void => {
      const request = nextRequest()
      if (request !== null) return void socket.write(request)
      socket.destroy()
      resolve()
    }
    const fail = (message: string): void => {
      socket.destroy()
      reject(new Error(message))
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('connect', sendNext)
    socket.on('data', (chunk: Buffer) => {
      let body = chunk.length
      if (remaining < 0) {
        head = Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const text = head.toString('latin1', 0, end)
        const length = /^content-length: *(\d+)/im.exec(text)?.[1]
        if (!text.startsWith('HTTP/1.1 200') || length === undefined)
          return fail(`not a tile: ${head.toString('latin1')}`)
        body = head.length - end - 4
        remaining = Number(length)
        count(remaining)
        head = Buffer.alloc(0)
      }
      remaining -= body
      if (remaining > 0) return
      remaining = -1
      sendNext()
    })
  })
}
