import type { InputOf, OperationId, OutputOf } from './operations.ts'
import { readProblem } from './problem.ts'

export interface ClientOptions {
  /** Base URL of the platform, without a trailing slash. */
  readonly baseUrl: string
  /**
   * An access token, or a function that returns one (`createTokenSource`). After a 401 the function is called again with the
   * token that was refused, and the request is repeated once if it returns another. Null calls public operations only.
   */
  readonly token: string | ((refused?: string) => Promise<string>) | null
}

export interface CallOptions {
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export interface EventStreamOptions extends CallOptions {
  /** Called when the platform has accepted the call. */
  readonly onOpen?: () => void
}

/** A client of the platform; operations are called by their id. */
export interface Client {
  /** Calls an operation and returns its output. Throws `ApiProblem` if the platform answers a problem. */
  call<Id extends OperationId>(operation: Id, input: InputOf<Id>, options?: CallOptions): Promise<OutputOf<Id>>
  /** The same for an id or an input that is determined only at run time. */
  call<Output = unknown>(operation: string, input?: object, options?: CallOptions): Promise<Output>
  /** Calls an operation that returns bytes, such as a tile. */
  bytes(operation: string, input?: object, options?: CallOptions): Promise<Uint8Array>
  /** Calls an operation that returns newline-delimited JSON and yields the lines as they arrive. */
  lines<Line = unknown>(operation: string, input?: object, options?: CallOptions): AsyncGenerator<Line>
  /** Calls an operation that returns Server-Sent Events and yields the events as they arrive; ends when the platform ends the stream. */
  events<Event = unknown>(operation: string, input?: object, options?: EventStreamOptions): AsyncGenerator<Event>
  /** Requests any URL of the platform, with the token. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Puts bytes to a signed address, which needs no token. */
  put(url: string, body: Blob): Promise<Response>
}

/** Creates a client; it has no state besides its options. */
export function createClient({ baseUrl, token }: ClientOptions): Client {
  const fetchWith = (bearer: string | null, path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (bearer !== null) headers.set('authorization', `Bearer ${bearer}`)
    return fetch(path.startsWith('/') ? `${baseUrl}${path}` : path, { ...init, headers })
  }
  const fetchAuthorized = async (path: string, init: RequestInit = {}): Promise<Response> => {
    if (typeof token !== 'function') return fetchWith(token, path, init)
    const first = await token()
    const response = await fetchWith(first, path, init)
    // A stream can be sent once.
    if (response.status !== 401 || init.body instanceof ReadableStream) return response
    const second = await token(first)
    return second === first ? response : fetchWith(second, path, init)
  }
  const post = async (operation: string, input: object = {}, options: CallOptions = {}): Promise<Response> => {
    const response = await fetchAuthorized(`/v1/op/${operation}`, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: {
        'content-type': 'application/json',
        ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      },
      ...(options.signal ? { signal: options.signal } : {}),
    })
    if (!response.ok) throw await readProblem(response)
    return response
  }
  return {
    call: async <Output>(operation: string, input?: object, options?: CallOptions) =>
      (await (await post(operation, input, options)).json()) as Output,
    bytes: async (operation, input, options) =>
      new Uint8Array(await (await post(operation, input, options)).arrayBuffer()),
    lines: async function* <Line>(operation: string, input?: object, options?: CallOptions) {
      const response = await post(operation, input, options)
      for await (const line of splitLines(response)) yield JSON.parse(line) as Line
    },
    events: async function* <Event>(operation: string, input?: object, options?: EventStreamOptions) {
      const response = await post(operation, input, options)
      options?.onOpen?.()
      // An event has its data on one line; ids and types are members of them.
      for await (const line of splitLines(response))
        if (line.startsWith(dataPrefix)) yield JSON.parse(line.slice(dataPrefix.length)) as Event
    },
    fetch: fetchAuthorized,
    put: (url, body) => fetch(url, { method: 'PUT', body }),
  }
}

const dataPrefix = 'data: '

async function* splitLines(response: Response): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts.filter((part) => part !== '')
  }
  if (rest !== '') yield rest
}
