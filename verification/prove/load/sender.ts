import { Agent, request as openRequest } from 'node:http'
import { countOutcome, type OutcomeTally } from './samples.ts'

/** A request of a proof. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** The local IP address to send from. */
  readonly localAddress?: string
}

/** A call of an operation with a token or API key. */
export const createOperationCall = (operation: string, input: object, token: string | null): HttpCall => ({
  method: 'POST',
  path: `/v1/op/${operation}`,
  headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  body: JSON.stringify(input),
})

/** Replaces `{turn}` in the path, so that requests differ. */
export const withTurn = (call: HttpCall, turn: number): HttpCall => ({
  ...call,
  path: call.path.replace('{turn}', String(turn)),
})

export interface HttpCallResult {
  /** The status, or the reason why there was no response. */
  readonly outcome: string
  readonly took_ms: number
  readonly body: string
}

/** An agent with keep-alive connections. */
export const createKeepAliveAgent = (max_sockets: number): Agent =>
  new Agent({ keepAlive: true, maxSockets: max_sockets })

const max_body_length = 4096

/** Sends a request and waits for the whole response, of which the beginning is stored; it never throws. */
export function send(
  url: string,
  { method, path, headers, body, localAddress }: HttpCall,
  agent: Agent,
  timeout_ms = 120_000,
): Promise<HttpCallResult> {
  const { hostname, port } = new URL(url)
  const start = performance.now()
  return new Promise((resolve) => {
    let text = ''
    const finish = (outcome: string): void => {
      clearTimeout(timer)
      resolve({ outcome, took_ms: performance.now() - start, body: text })
    }
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const clientRequest = openRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: { ...headers, ...length },
        ...(localAddress ? { localAddress: localAddress } : {}),
      },
      (response) => {
        response.on('data', (piece: Buffer) => {
          if (text.length < max_body_length) text += piece.toString('latin1')
        })
        response.on('end', () => finish(String(response.statusCode)))
        response.on('error', () => finish('cut'))
      },
    )
    const timer = setTimeout(() => {
      clientRequest.destroy()
      finish('no response')
    }, timeout_ms)
    clientRequest.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'))
    clientRequest.end(body)
  })
}

interface FloodOptions {
  readonly url: string
  /** The next request; null if there are no more. */
  readonly next: (index: number) => HttpCall | null
  readonly callers: number
  readonly until_ms: number
}

/**
 * Several callers send requests back to back; returns the outcome counts. Requests that are pending at the deadline are
 * aborted, as by a caller that disconnects.
 */
export async function flood({ url, next, callers, until_ms }: FloodOptions): Promise<OutcomeTally> {
  const agent = createKeepAliveAgent(callers)
  const tally: OutcomeTally = new Map()
  let index = 0
  const caller = async (): Promise<void> => {
    while (performance.now() < until_ms) {
      const request = next(index++)
      if (request === null) return
      const { outcome } = await send(url, request, agent, Math.max(1, until_ms - performance.now()))
      countOutcome(tally, outcome)
      // Connection errors would otherwise only measure how fast this process can connect.
      if (!/^\d+$/.test(outcome)) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  agent.destroy()
  return tally
}
