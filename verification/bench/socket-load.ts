import { connect, type Socket } from 'node:net'

export interface SocketLoad {
  readonly url: string
  /** The whole request: headers and body. */
  readonly request: Buffer
  readonly connections: number
  readonly duration_ms: number
}

/**
 * Responses per second: every connection repeats the request as soon as the previous response is complete. All responses
 * are assumed to have the length of the first, so the client needs hardly any CPU.
 */
export async function measureThroughput(load: SocketLoad): Promise<number> {
  const length = (await readFirstResponse(load)).length
  const { hostname, port } = new URL(load.url)
  let responseCount = 0
  const sockets: Socket[] = []
  const start = performance.now()
  for (let index = 0; index < load.connections; index++) {
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    let receivedBytes = 0
    socket.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length
      if (receivedBytes < length) return
      receivedBytes -= length
      responseCount++
      socket.write(load.request)
    })
    socket.on('error', () => {})
    socket.write(load.request)
    sockets.push(socket)
  }
  await new Promise((resolve) => setTimeout(resolve, load.duration_ms))
  const took_s = (performance.now() - start) / 1000
  for (const socket of sockets) socket.destroy()
  return responseCount / took_s
}

/** The bytes of one response; throws unless it is a 200 with a Content-Length. */
export function readFirstResponse({ url, request }: Pick<SocketLoad, 'url' | 'request'>): Promise<Buffer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = received.subarray(0, end).toString('latin1')
      const size = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (!head.startsWith('HTTP/1.1 200') || Number.isNaN(size))
        return reject(new Error(`unexpected response: ${received.toString('latin1')}`))
      if (received.length < end + 4 + size) return
      socket.destroy()
      resolve(received)
    })
    socket.write(request)
  })
}

/** A POST with a JSON body as bytes. */
export function createRequestBytes(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
