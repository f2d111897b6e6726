import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { OutsideFailure, type SafeFetchOptions, type SafeResponse } from './outside.ts'

type Lookup = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/**
 * Connections are reused for the next range of the same file; those of allowed origins are never shared with guarded ones.
 */
export interface Agents {
  readonly guarded: { readonly 'https:': HttpsAgent }
  readonly open: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }
}

const agentOptions = { keepAlive: true, maxSockets: 32, maxFreeSockets: 8, timeout: 15_000 } as const

/** Node connects only to an address that its lookup returns, so validating here pins the address. */
const pinned =
  (lookup: Lookup): LookupFunction =>
  (name, options, done) => {
    lookup(name).then(
      (found) => {
        if (options.all) return done(null, [...found])
        const first = found[0]!
        return done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    )
  }

export function openAgents(guarded: Lookup, open: Lookup): Agents {
  return {
    guarded: { 'https:': new HttpsAgent({ ...agentOptions, lookup: pinned(guarded) }) },
    open: {
      'http:': new HttpAgent({ ...agentOptions, lookup: pinned(open) }),
      'https:': new HttpsAgent({ ...agentOptions, lookup: pinned(open) }),
    },
  }
}

export interface Exchange {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: SafeFetchOptions['body']
  readonly limit_bytes: number
  readonly beyond_limit?: SafeFetchOptions['beyond_limit']
  readonly signal: AbortSignal
  readonly agents: Agents
  /** False if the origin is on the allow-list. */
  readonly guarded: boolean
}

/** Sends one request and reads the whole response within the limits; throws `SafeFetchFailure`. */
export async function exchange(wanted: Exchange): Promise<SafeResponse> {
  const { url, method, signal } = wanted
  let message: IncomingMessage | null = null
  try {
    signal.throwIfAborted()
    message = await send(wanted)
    const headers = headersOf(message)
    const status = message.statusCode ?? 0
    const bounds = boundsOf(wanted, status, headers)
    const told_bytes = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
    if (told_bytes > bounds.most_bytes && !bounds.cut) throw tooLarge(bounds.most_bytes)
    return { status, headers, body: await readBody(message, bounds), url: url.href }
  } catch (error) {
    message?.destroy()
    throw failureOf(error, signal)
  }
}

function send({ url, method, headers, body, signal, agents, guarded }: Exchange): Promise<IncomingMessage> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = { method, headers: { ...headers, ...length }, signal, maxHeaderSize: 32 * 1024 }
  return new Promise((resolve, reject) => {
    const call: ClientRequest =
      url.protocol === 'http:'
        ? httpRequest(url, { ...options, agent: agents.open['http:'] })
        : httpsRequest(url, { ...options, agent: agents[guarded ? 'guarded' : 'open']['https:'] })
    call.on('response', resolve)
    call.on('error', reject)
    call.end(body)
  })
}

function headersOf(message: IncomingMessage): Record<string, string> {
  const entries = Object.entries(message.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(entries)
}

interface Bounds {
  readonly most_bytes: number
  readonly cut: boolean
}

/** The maximum length of an error body that is read when a range was requested. */
const explanation_bytes = 64 * 1024

/** The maximum length of the body. If a range was requested, the response must be that range or an error. */
function boundsOf(wanted: Exchange, status: number, headers: Readonly<Record<string, string>>): Bounds {
  const { limit_bytes, method } = wanted
  const range = method === 'GET' ? wanted.headers['range'] : undefined
  if (range === undefined) {
    if (status === 206)
      throw new OutsideFailure('range', 'The host returned a part of the file, although the whole file was requested.')
    return { most_bytes: limit_bytes, cut: wanted.beyond_limit === 'cut' }
  }
  if (status === 200) throw new OutsideFailure('range', 'The host does not support range requests for the file.')
  if (status !== 206) return { most_bytes: Math.min(limit_bytes, explanation_bytes), cut: true }
  const length = partLength(range, headers['content-range'] ?? '')
  if (length > limit_bytes) throw tooLarge(limit_bytes)
  return { most_bytes: length, cut: false }
}

/** The length of the returned range; throws if it is not within the requested range. */
function partLength(range: string, answered: string): number {
  const asked = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range)
  const given = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(answered)
  const [first, last] = [Number(given?.[1]), Number(given?.[2])]
  const fits = !asked || (first === Number(asked[1]) && (asked[2] === '' || last <= Number(asked[2])))
  if (!given || !fits || last < first) {
    throw new OutsideFailure('range', 'The host returned another range than the requested one.')
  }
  return last - first + 1
}

const tooLarge = (limit_bytes: number): OutsideFailure =>
  new OutsideFailure('too-large', `The response of the host exceeds ${limit_bytes} bytes.`)

async function readBody(message: IncomingMessage, { most_bytes, cut }: Bounds): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most_bytes && !cut) throw tooLarge(most_bytes)
    if (size >= most_bytes && cut) break
  }
  return new Uint8Array(Buffer.concat(chunks)).subarray(0, most_bytes)
}

function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof OutsideFailure) return error
  if (signal.aborted) {
    const late = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    return late ? new OutsideFailure('timeout', 'The host took too long to respond.') : signal.reason
  }
  return new OutsideFailure('connection', 'The host could not be reached, or ended its response early.')
}
