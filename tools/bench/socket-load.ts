import { connect, type Socket } from 'node:net'

export interface Load {
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
export async function measureThroughput(load: Load): Promise<number> {
  const length = (await firstAnswer(load)).length
  const { hostname, port } = new URL(load.url)
  let answers = 0
  const sockets: Socket[] = []
  const start = performance.now()
  for (let index = 0; index < load.connections; index++) {
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    let got = 0
    socket.on('data', (chunk: Buffer) => {
      got += chunk.length
      if (got < length) return
      got -= length
      answers++
      socket.write(load.request)
    })
    socket.on('error', () => {})
    socket.write(load.request)
    sockets.push(socket)
  }
  await new Promise((resolve) => setTimeout(resolve, load.duration_ms))
  const took_s = (performance.now() - start) / 1000
  for (const socket of sockets) socket.destroy()
  return answers / took_s
}

/** The bytes of one response; throws unless it is a 200 with a Content-Length. */
export function firstAnswer({ url, request }: Pick<Load, 'url' | 'request'>): Promise<Buffer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let seen = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk])
      const end = seen.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = seen.subarray(0, end).toString('latin1')
      const size = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (!head.startsWith('HTTP/1.1 200') || Number.isNaN(size))
        return reject(new Error(`unexpected response: ${seen.toString('latin1')}`))
      if (seen.length < end + 4 + size) return
      socket.destroy()
      resolve(seen)
    })
    socket.write(request)
  })
}

/** A POST with a JSON body as bytes. */
export function requestBytes(
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
