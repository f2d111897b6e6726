import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { SafeFetchFailure, type SafeFetchOptions, type SafeFetchResponse } from './integrations.ts'
import { startStallAwareTimeout } from './responsive-timeout.ts'

type AddressLookup = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/**
 * Connections are reused for the next range of the same file; those of allowed origins are never shared with guarded ones.
 */
export interface HttpAgents {
  readonly guarded: { readonly 'https:': HttpsAgent }
  readonly open: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }
}

const agent_options = { keepAlive: true, maxFreeSockets: 8, timeout: 15_000 } as const
/** Connections to a host at once; further requests wait for one of them. */
const max_connections = 32

/** Node connects only to an address that its lookup returns, so validating here pins the address. */
const pinAddress =
  (lookup: AddressLookup): LookupFunction =>
  (name, options, callback) => {
    lookup(name).then(
      (addresses) => {
        if (options.all) return callback(null, [...addresses])
        const first = addresses[0]!
        return callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

export function createHttpAgents(
  guarded: AddressLookup,
  open: AddressLookup,
  maxSockets: number = max_connections,
): HttpAgents {
  const options = { ...agent_options, maxSockets }
  return {
    guarded: { 'https:': new HttpsAgent({ ...options, lookup: pinAddress(guarded) }) },
    open: {
      'http:': new HttpAgent({ ...options, lookup: pinAddress(open) }),
      'https:': new HttpsAgent({ ...options, lookup: pinAddress(open) }),
    },
  }
}

export interface GuardedHttpRequest {
  readonly url: URL
  readonly method: NonNullable<SafeFetchOptions['method']>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: SafeFetchOptions['body']
  readonly limit_bytes: number
  readonly beyond_limit?: SafeFetchOptions['beyond_limit']
  readonly connect_timeout_ms?: number
  readonly accepts_partial_body?: boolean
  readonly signal: AbortSignal
  readonly agents: HttpAgents
  /** False if the origin is on the allow-list. */
  readonly guarded: boolean
}

/** Sends one request and reads the whole response within the limits; throws `SafeFetchFailure`. */
export async function sendHttpRequest(guardedRequest: GuardedHttpRequest): Promise<SafeFetchResponse> {
  const { url, method, signal } = guardedRequest
  let message: IncomingMessage | null = null
  try {
    signal.throwIfAborted()
    message = await startWithFreshConnection(guardedRequest)
    const headers = flattenHeaders(message)
    const status = message.statusCode ?? 0
    const bodyLimit = bodyLimitOf(guardedRequest, status, headers)
    const declared_bytes = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
    if (declared_bytes > bodyLimit.max_bytes && !bodyLimit.truncate) throw tooLarge(bodyLimit.max_bytes)
    const acceptsPartial = guardedRequest.accepts_partial_body ?? false
    return { status, headers, body: await readBody(message, bodyLimit, acceptsPartial), url: url.href }
  } catch (error) {
    message?.destroy()
    throw toFailure(error, signal)
  }
}

/**
 * Starts a request. The host may close an idle connection just as a request is sent on it, without reading it: the
 * request is then sent again, on another connection.
 */
async function startWithFreshConnection(guardedRequest: GuardedHttpRequest): Promise<IncomingMessage> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startRequest(guardedRequest)
    } catch (error) {
      if (!(error instanceof StaleConnection) || attempt === max_stale_connections) throw error
    }
  }
}

/** One more than the idle connections per host, so that the last attempt opens a new one. */
const max_stale_connections = 9

class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
}

function startRequest({
  url,
  method,
  headers,
  body,
  signal,
  agents,
  guarded,
  connect_timeout_ms,
}: GuardedHttpRequest): Promise<IncomingMessage> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = { method, headers: { ...headers, ...length }, signal, maxHeaderSize: 32 * 1024 }
  return new Promise((resolve, reject) => {
    const clientRequest: ClientRequest =
      url.protocol === 'http:'
        ? httpRequest(url, { ...options, agent: agents.open['http:'] })
        : httpsRequest(url, { ...options, agent: agents[guarded ? 'guarded' : 'open']['https:'] })
    const stopTimer = limitConnecting(clientRequest, connect_timeout_ms)
    clientRequest.on('response', resolve)
    clientRequest.on('error', (error: NodeJS.ErrnoException) => {
      stopTimer()
      const isStale = clientRequest.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted
      reject(isStale ? new StaleConnection() : error)
    })
    clientRequest.end(body)
  })
}

/** Ends the request if its socket is not connected in time; the returned function stops the timer. */
function limitConnecting(clientRequest: ClientRequest, connect_timeout_ms: number | undefined): () => void {
  if (connect_timeout_ms === undefined) return () => undefined
  const stop = startStallAwareTimeout(connect_timeout_ms, () =>
    clientRequest.destroy(new SafeFetchFailure('timeout', 'The host took too long to accept a connection.')),
  )
  clientRequest.on('socket', (socket) => {
    if (!socket.connecting) stop()
    else socket.once(clientRequest.protocol === 'https:' ? 'secureConnect' : 'connect', stop)
  })
  clientRequest.once('close', stop)
  return stop
}

function flattenHeaders(message: IncomingMessage): Record<string, string> {
  const entries = Object.entries(message.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(entries)
}

interface BodyLimit {
  readonly max_bytes: number
  readonly truncate: boolean
}

/** The maximum length of an error body that is read when a range was requested. */
const max_error_body_bytes = 64 * 1024

/** The maximum length of the body. If a range was requested, the response must be that range or an error. */
function bodyLimitOf(
  guardedRequest: GuardedHttpRequest,
  status: number,
  headers: Readonly<Record<string, string>>,
): BodyLimit {
  const { limit_bytes: max_bytes, method } = guardedRequest
  const range = method === 'GET' ? guardedRequest.headers['range'] : undefined
  if (range === undefined) {
    if (status === 206 && method !== 'POST')
      throw new SafeFetchFailure(
        'range',
        'The host returned a part of the file, although the whole file was requested.',
      )
    return { max_bytes: max_bytes, truncate: guardedRequest.beyond_limit === 'cut' }
  }
  if (status === 200) throw new SafeFetchFailure('range', 'The host does not support range requests for the file.')
  if (status !== 206) return { max_bytes: Math.min(max_bytes, max_error_body_bytes), truncate: true }
  const length = validatePartLength(range, headers['content-range'] ?? '')
  if (length > max_bytes) throw tooLarge(max_bytes)
  return { max_bytes: length, truncate: false }
}

/** The length of the returned range; throws if it is not within the requested range. */
function validatePartLength(range: string, contentRange: string): number {
  const requestedRange = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range)
  const returnedRange = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(contentRange)
  const [first, last] = [Number(returnedRange?.[1]), Number(returnedRange?.[2])]
  const isWithinRequest =
    !requestedRange ||
    (first === Number(requestedRange[1]) && (requestedRange[2] === '' || last <= Number(requestedRange[2])))
  if (!returnedRange || !isWithinRequest || last < first) {
    throw new SafeFetchFailure('range', 'The host returned another range than the requested one.')
  }
  return last - first + 1
}

const tooLarge = (max_bytes: number): SafeFetchFailure =>
  new SafeFetchFailure('too-large', `The response of the host exceeds ${max_bytes} bytes.`)

async function readBody(
  message: IncomingMessage,
  { max_bytes, truncate }: BodyLimit,
  accepts_partial: boolean,
): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop closes the connection.
    for await (const chunk of message as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > max_bytes && !truncate) throw tooLarge(max_bytes)
      if (size >= max_bytes && truncate) break
    }
  } catch (error) {
    if (!accepts_partial || error instanceof SafeFetchFailure) throw error
  }
  return new Uint8Array(Buffer.concat(chunks)).subarray(0, max_bytes)
}

function toFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof SafeFetchFailure) return error
  if (signal.aborted) {
    const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    return isTimeout ? new SafeFetchFailure('timeout', 'The host took too long to respond.') : signal.reason
  }
  if (isCertificateError(error))
    return new SafeFetchFailure(
      'tls',
      `The certificate of the host is not valid (${(error as { code: string }).code}).`,
    )
  return new SafeFetchFailure('connection', 'The host could not be reached, or ended its response early.')
}

/** The codes of Node for certificates that expired, are self-signed or of another name, and for failed handshakes. */
const certificate_error =
  /^(CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+)$/

const isCertificateError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && certificate_error.test(String(error.code))
