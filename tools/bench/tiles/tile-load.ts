import { connect, type Socket } from 'node:net'

export interface TileLoad {
  readonly url: string
  /** Paths with query, each requested once, in this order. */
  readonly paths: readonly string[]
  readonly connections: number
}

export interface LoadFigures {
  readonly per_s: number
  readonly bytes: number
}

/**
 * Requests every path once over several keep-alive connections; returns tiles per second and the bytes of all bodies.
 * Throws unless every response is a 200 with a Content-Length, so that errors do not count as fast tiles.
 */
export async function loadTiles({ url, paths, connections }: TileLoad): Promise<LoadFigures> {
  const { hostname, port, host } = new URL(url)
  let next = 0
  let bytes = 0
  const take = (): string | null => {
    const path = paths[next++]
    return path === undefined ? null : `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  }
  const start = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () =>
      walk(connect(Number(port), hostname), take, (length) => void (bytes += length)),
    ),
  )
  return { per_s: (paths.length * 1000) / (performance.now() - start), bytes }
}

/** One connection: a request, its whole response, the next request. */
function walk(socket: Socket, take: () => string | null, count: (bytes: number) => void): Promise<void> {
  socket.setNoDelay(true)
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    let left = -1
    const ask = (): void => {
      const request = take()
      if (request !== null) return void socket.write(request)
      socket.destroy()
      resolve()
    }
    const fail = (fault: string): void => {
      socket.destroy()
      reject(new Error(fault))
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('connect', ask)
    socket.on('data', (chunk: Buffer) => {
      let body = chunk.length
      if (left < 0) {
        head = Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const text = head.toString('latin1', 0, end)
        const length = /^content-length: *(\d+)/im.exec(text)?.[1]
        if (!text.startsWith('HTTP/1.1 200') || length === undefined) return fail(`not a tile: ${head.toString('latin1')}`)
        body = head.length - end - 4
        left = Number(length)
        count(left)
        head = Buffer.alloc(0)
      }
      left -= body
      if (left > 0) return
      left = -1
      ask()
    })
  })
}
