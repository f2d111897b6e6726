import { Agent, request as openRequest } from 'node:http'
import { count, type Tally } from './samples.ts'

/** A request as the callers of a proof send it. */
export interface Sending {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** The address of this machine that it comes from. */
  readonly from?: string
}

/** A call of an operation with its input, by somebody with this token or key. */
export const callOf = (operation: string, input: object, token: string | null): Sending => ({
  method: 'POST',
  path: `/v1/op/${operation}`,
  headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  body: JSON.stringify(input),
})

/** The request with the number of its turn where it asks for one, so that no two are the same. */
export const atTurn = (sending: Sending, turn: number): Sending => ({
  ...sending,
  path: sending.path.replace('{turn}', String(turn)),
})

export interface Answer {
  /** The status, or why there was no answer. */
  readonly outcome: string
  readonly took_ms: number
  readonly body: string
}

/** Connections that are kept between requests. */
export const keptConnections = (most: number): Agent => new Agent({ keepAlive: true, maxSockets: most })

const body_limit = 4096

/** Sends a request and waits for the whole answer, of which the beginning is kept; it never throws. */
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
      end('no answer')
    }, timeout_ms)
    sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'))
    sent.end(body)
  })
}

export interface Flood {
  readonly url: string
  /** The next request; null when there are no more. */
  readonly next: (index: number) => Sending | null
  readonly callers: number
  readonly until_ms: number
}

/**
 * So many callers, each of which sends the next request as soon as its last one was answered; the outcomes by their count.
 * Who waits when the time is over hangs up, as a caller that gives up does.
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
      // Whoever is refused at once would only measure how fast this process can dial.
      if (!/^\d+$/.test(outcome)) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  agent.destroy()
  return tally
}
