import { connect, type Socket } from 'node:net'
import type { HttpCall } from '../prove/load/sender.ts'

interface SocketResponse {
  readonly status: number
  /** The head, and the part of the body that came with it. */
  readonly beginning: Buffer
}

/** A keep-alive connection that needs hardly any CPU: of a response only the head is read. */
interface SocketConnection {
  /** Sends a whole request, and waits for the whole response; null if the connection was closed instead. */
  readonly exchange: (request: Buffer) => Promise<SocketResponse | null>
  readonly close: () => void
}

/** Opens the connection, and opens it again for the next request when the server has closed it. */
export function createConnection(url: string): SocketConnection {
  const { hostname, port } = new URL(url)
  let socket: Socket | null = null
  let settle: (response: SocketResponse | null) => void = () => {}
  const open = (): Socket => {
    const opened = connect(Number(port), hostname)
    opened.setNoDelay(true)
    opened.on(
      'data',
      createResponseReader((response) => settle(response)),
    )
    opened.on('error', () => {})
    opened.on('close', () => {
      if (socket === opened) socket = null
      settle(null)
    })
    return opened
  }
  return {
    exchange: (request) =>
      new Promise((resolve) => {
        settle = resolve
        socket ??= open()
        socket.write(request)
      }),
    close: () => socket?.destroy(),
  }
}

/** Calls `onResponse` for each response that is complete; throws if one has no Content-Length. */
function createResponseReader(onResponse: (response: SocketResponse) => void): (chunk: Buffer) => void {
  let beginning: Buffer = Buffer.alloc(0)
  let isHeadComplete = false
  let missing_bytes = 0
  return (chunk) => {
    if (isHeadComplete) missing_bytes -= chunk.length
    else {
      beginning = beginning.length === 0 ? chunk : Buffer.concat([beginning, chunk])
      const end = beginning.indexOf('\r\n\r\n')
      if (end < 0) return
      isHeadComplete = true
      missing_bytes = end + 4 + readContentLength(beginning.toString('latin1', 0, end)) - beginning.length
    }
    if (missing_bytes > 0) return
    const response = { status: Number(beginning.toString('latin1', 9, 12)), beginning }
    beginning = Buffer.alloc(0)
    isHeadComplete = false
    onResponse(response)
  }
}

function readContentLength(head: string): number {
  const [, length] = /content-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error(`a response without a Content-Length: ${head}`)
  return Number(length)
}

/** A request as bytes. */
export function createRequestBytes(url: string, { method, path, headers = {}, body = '' }: HttpCall): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...(method === 'GET' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}

interface SocketLoad {
  readonly url: string
  readonly connections: number
  /** The next whole request: headers and body; null ends the load. */
  readonly nextRequest: () => Buffer | null
}

/**
 * Responses per second: every connection sends the next request as soon as the previous response is complete. Throws if a response is
 * not a 200.
 */
export async function measureThroughput({ url, connections, nextRequest }: SocketLoad): Promise<number> {
  let responseCount = 0
  const start = performance.now()
  const repeat = async (): Promise<void> => {
    const connection = createConnection(url)
    try {
      for (let request = nextRequest(); request !== null; request = nextRequest()) {
        const response = await connection.exchange(request)
        if (response?.status !== 200) throw new Error(`unexpected response: ${response?.beginning.toString('latin1')}`)
        responseCount++
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
  return (1000 * responseCount) / (performance.now() - start)
}

/** The same request for some time. */
export function repeatFor(duration_ms: number, request: Buffer): SocketLoad['nextRequest'] {
  const end = performance.now() + duration_ms
  return () => (performance.now() < end ? request : null)
}
