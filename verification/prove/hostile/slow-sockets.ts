import { connect, type Socket } from 'node:net'
import { countOutcome, type OutcomeTally } from '../load/samples.ts'

interface SlowSocket {
  readonly url: string
  /** Sent when the connection is established. */
  readonly first: string | Buffer
  /** Sent repeatedly at each interval. */
  readonly drip?: string
  readonly interval_ms: number
  /** Whether it reads one chunk per interval, or nothing. */
  readonly reads: boolean
  readonly until_ms: number
}

/** Holds a deliberately slow connection until its deadline; counts its status in the tally, `held` if there was none. */
export function holdSlowConnection(
  { url, first, drip, interval_ms, reads, until_ms }: SlowSocket,
  tally: OutcomeTally,
): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let outcome = 'held'
    const socket: Socket = connect({ port: Number(port), host: hostname })
    const timer = setInterval(() => {
      if (drip !== undefined && socket.writable) socket.write(drip)
      if (reads) socket.resume()
    }, interval_ms)
    const deadlineTimer = setTimeout(() => socket.destroy(), Math.max(0, until_ms - performance.now()))
    socket.on('connect', () => socket.write(first))
    socket.on('data', (piece: Buffer) => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(piece.toString('latin1', 0, 16))?.[1]
      if (status !== undefined) outcome = status
      if (reads) socket.pause()
    })
    if (!reads && drip === undefined) socket.pause()
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (outcome === 'held') outcome = error.code ?? 'error'
    })
    socket.on('close', () => {
      clearInterval(timer)
      clearTimeout(deadlineTimer)
      countOutcome(tally, outcome)
      resolve()
    })
  })
}

/** The bytes of a POST with a JSON body. */
export function createPostBytes(url: string, path: string, token: string, body: string): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    'content-type: application/json',
    `authorization: Bearer ${token}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
