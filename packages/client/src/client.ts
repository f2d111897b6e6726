import { splitLines } from './streams/split-lines.ts'
import type { InputOf, OperationId, OutputOf } from './operations.ts'
import { ApiProblem, readProblem, type ProblemConstructor } from './problem.ts'
import { createTransport, type AttemptOptions, type RequestPlan, type TransportOptions } from './transport.ts'

export interface ClientOptions extends TransportOptions {
  /** Base URL of the platform, without a trailing slash. */
  readonly baseUrl: string
  /**
   * An access token or an API key, or a function that returns one (`createTokenSource`). After a 401 the function is called
   * again with the token that was refused, and the request is repeated once if it returns another. Null calls public operations
   * only.
   */
  readonly token: string | ((refused?: string) => Promise<string>) | null
  /** Makes the error of a problem document; default `ApiProblem` for all of them. */
  readonly chooseProblem?: (problem: string) => ProblemConstructor
}

export interface CallOptions extends AttemptOptions {
  /** Repeats of a call with the same key have one effect; 1 to 255 characters. */
  readonly idempotencyKey?: string
  /**
   * The call has no effect, so that it may be sent again after a failure whose outcome is unknown. Calls with an idempotency
   * key may be repeated in any case.
   */
  readonly isRead?: boolean
}

export interface EventStreamOptions extends CallOptions {
  /** Called when the platform has accepted the call. */
  readonly onOpen?: () => void
}

/** A client of the platform; operations are called by their id. */
export interface Client {
  /** Base URL of the platform, without a trailing slash. */
  readonly baseUrl: string
  /** Calls an operation and returns its output. Throws `ApiProblem` if the platform answers a problem. */
  call<Id extends OperationId>(operation: Id, input: InputOf<Id>, options?: CallOptions): Promise<OutputOf<Id>>
  /** The same for an id or an input that is determined only at run time; a wrong input of a known id is not told, too. */
  call<Output = unknown>(operation: string, input?: object, options?: CallOptions): Promise<Output>
  /** Calls an operation that returns bytes, such as a tile. */
  bytes(operation: string, input?: object, options?: CallOptions): Promise<Uint8Array>
  /** Calls an operation that returns newline-delimited JSON and yields the lines as they arrive. */
  lines<Line = unknown>(operation: string, input?: object, options?: CallOptions): AsyncGenerator<Line>
  /** Calls an operation that returns Server-Sent Events and yields the events as they arrive; ends when the platform ends the stream. */
  events<Event = unknown>(operation: string, input?: object, options?: EventStreamOptions): AsyncGenerator<Event>
  /** Requests any URL of the platform, with the token. Repeats reads only, and requests with an idempotency key. */
  fetch(path: string, init?: RequestInit, options?: Partial<RequestPlan>): Promise<Response>
  /** Puts bytes to a signed address, which needs no token. */
  put(url: string, body: Blob): Promise<Response>
}

/** Creates a client; it has no state besides its options. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl } = options
  const { send, post } = createSender(options)
  const postJson = (...[operation, input, callOptions]: PostParameters): Promise<Response> =>
    post(operation, input, callOptions, true)
  return {
    baseUrl,
    call: async <Output>(...parameters: PostParameters) => (await (await postJson(...parameters)).json()) as Output,
    bytes: async (...parameters) => new Uint8Array(await (await postJson(...parameters)).arrayBuffer()),
    lines: async function* <Line>(...parameters: PostParameters) {
      for await (const line of splitLines(await post(...parameters))) yield JSON.parse(line) as Line
    },
    events: async function* <Event>(operation: string, input?: object, callOptions?: EventStreamOptions) {
      const response = await post(operation, input, callOptions)
      callOptions?.onOpen?.()
      // An event has its data on one line; ids and types are members of them.
      for await (const line of splitLines(response))
        if (line.startsWith(dataPrefix)) yield JSON.parse(line.slice(dataPrefix.length)) as Event
    },
    fetch: (path, init = {}, plan = {}) => send(path, init, { operation: null, ...plan }),
    put: (url, body) => (options.fetch ?? fetch)(url, { method: 'PUT', body }),
  }
}

const dataPrefix = 'data: '

/** `Headers` would name the token in its error. */
function requireHeaderText(token: string): string {
  if (!/[^\t\x20-\x7e\x80-\xff]/.test(token)) return token
  throw new TypeError('The token has a character that no header can have, such as a line break. Check how it was read.')
}

/** A token is for the platform alone: signed URLs of its files may be those of a bucket of somebody else. */
function isOfPlatform(path: string, baseUrl: string): boolean {
  if (path.startsWith('/')) return true
  const page = (globalThis as { location?: { href: string } }).location?.href
  return URL.canParse(path, page) && new URL(path, page).origin === new URL(baseUrl || '/', page).origin
}

type PostParameters = [operation: string, input?: object, options?: CallOptions]

/** Sends requests with the token, which is renewed once if it is refused. */
function createSender({ baseUrl, token, chooseProblem = () => ApiProblem, ...transportOptions }: ClientOptions) {
  const transport = createTransport(transportOptions)
  const sendWith = (bearer: string | null, path: string, init: RequestInit, plan: RequestPlan): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (bearer !== null && isOfPlatform(path, baseUrl))
      headers.set('authorization', `Bearer ${requireHeaderText(bearer)}`)
    return transport(path.startsWith('/') ? `${baseUrl}${path}` : path, { ...init, headers }, plan)
  }
  const send = async (path: string, init: RequestInit, plan: RequestPlan): Promise<Response> => {
    if (typeof token !== 'function') return sendWith(token, path, init, plan)
    if (!isOfPlatform(path, baseUrl)) return sendWith(null, path, init, plan)
    const first = await token()
    const response = await sendWith(first, path, init, plan)
    // A stream can be sent once.
    if (response.status !== 401 || init.body instanceof ReadableStream) return response
    const second = await token(first)
    return second === first ? response : sendWith(second, path, init, plan)
  }
  const post = async (
    operation: string,
    input: object = {},
    { idempotencyKey, ...plan }: CallOptions = {},
    isWhole = false,
  ): Promise<Response> => {
    const init = {
      method: 'POST',
      body: JSON.stringify(input),
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(plan.signal ? { signal: plan.signal } : {}),
    }
    const response = await send(`/v1/op/${operation}`, init, { ...plan, operation, isWhole })
    if (!response.ok) throw await readProblem(response, chooseProblem)
    return response
  }
  return { send, post }
}
