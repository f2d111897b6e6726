import { connect, type Socket } from 'node:net'

export interface Load {
  readonly url: string
  /** The whole request, head and body. */
  readonly request: Buffer
  readonly connections: number
  readonly duration_ms: number
}

/**
 * Answers a second: every connection sends the request again as soon as the whole answer to the one before is there.
 * All answers have the length of the first, which is looked at; so the client costs next to nothing.
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

/** The bytes of one answer; throws when it is not a 200 with a Content-Length. */
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
        return reject(new Error(`not an answer to measure: ${seen.toString('latin1')}`))
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
