import { Agent, request as openRequest } from 'node:http'
import { count, type Tally } from './samples.ts'

/** A request of a proof. */
export interface Sending {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** The local IP address to send from. */
  readonly from?: string
}

/** A call of an operation with a token or API key. */
export const callOf = (operation: string, input: object, token: string | null): Sending => ({
  method: 'POST',
  path: `/v1/op/${operation}`,
  headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  body: JSON.stringify(input),
})

/** Replaces `{turn}` in the path, so that requests differ. */
export const atTurn = (sending: Sending, turn: number): Sending => ({
  ...sending,
  path: sending.path.replace('{turn}', String(turn)),
})

export interface Answer {
  /** The status, or the reason why there was no response. */
  readonly outcome: string
  readonly took_ms: number
  readonly body: string
}

/** An agent with keep-alive connections. */
export const keptConnections = (most: number): Agent => new Agent({ keepAlive: true, maxSockets: most })

const body_limit = 4096

/** Sends a request and waits for the whole response, of which the beginning is kept; it never throws. */
export function send(
  url: string,
  { method, path, headers, body, from }: Sending,
  agent: Agent,
  timeout_ms = 120_000,
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const start = performance.now()
  return new Promise((resolve) => {
    let text = ''
    const end = (outcome: string): void => {
      clearTimeout(timer)
      resolve({ outcome, took_ms: performance.now() - start, body: text })
    }
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = openRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: { ...headers, ...length },
        ...(from ? { localAddress: from } : {}),
      },
      (response) => {
        response.on('data', (piece: Buffer) => {
          if (text.length < body_limit) text += piece.toString('latin1')
        })
        response.on('end', () => end(String(response.statusCode)))
        response.on('error', () => end('cut'))
      },
    )
    const timer = setTimeout(() => {
      sent.destroy()
      end('no response')
    }, timeout_ms)
    sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'))
    sent.end(body)
  })
}

export interface Flood {
  readonly url: string
  /** The next request; null if there are no more. */
  readonly next: (index: number) => Sending | null
  readonly callers: number
  readonly until_ms: number
}

/**
 * Several callers send requests back to back; returns the outcome counts. Requests that are pending at the deadline are
 * aborted, as by a caller that disconnects.
 */
export async function flood({ url, next, callers, until_ms }: Flood): Promise<Tally> {
  const agent = keptConnections(callers)
  const tally: Tally = new Map()
  let index = 0
  const caller = async (): Promise<void> => {
    while (performance.now() < until_ms) {
      const request = next(index++)
      if (request === null) return
      const { outcome } = await send(url, request, agent, Math.max(1, until_ms - performance.now()))
      count(tally, outcome)
      // Connection errors would otherwise only measure how fast this process can connect.
      if (!/^\d+$/.test(outcome)) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  agent.destroy()
  return tally
}
