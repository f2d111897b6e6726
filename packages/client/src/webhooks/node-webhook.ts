import {
  readBody,
  receiveWebhook,
  reportError,
  unreadableResponse,
  type WebhookReceiverOptions,
  type WebhookResponse,
} from './receive-webhook.ts'

/** A request of `node:http` or of Express. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Set by Express if a parser has read the body. */
  readonly body?: unknown
}

/** A response of `node:http` or of Express. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

const respond = (response: NodeResponse, { status, body }: WebhookResponse, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers })
  response.end(body)
}

/**
 * A handler for `http.createServer` and for routes of Express: `app.post('/swath', nodeWebhook(options))`. In Express it comes
 * before `express.json()`, which leaves nothing of the exact body that was signed; `express.raw()` does no harm.
 */
export const nodeWebhook =
  (options: WebhookReceiverOptions) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    if (request.method !== 'POST') return respond(response, { status: 405, body: 'POST only' }, { allow: 'POST' })
    let body
    try {
      body = await readNodeBody(request, options.max_body_bytes)
    } catch (error) {
      reportError(options, error)
      return respond(response, unreadableResponse, { connection: 'close' })
    }
    if (body === undefined) {
      reportError(options, new TypeError('A parser has read the body: put nodeWebhook before express.json().'))
      return respond(response, { status: 500, body: 'The body was parsed before its signature was verified.' })
    }
    // The rest of a body that is too long is not read: the connection ends with the response.
    respond(
      response,
      await receiveWebhook(options, { headers: request.headers, body }),
      body === null ? { connection: 'close' } : {},
    )
  }

/** Null if it is too long, undefined if only the parsed body is left. */
async function readNodeBody(
  request: NodeRequest,
  max_body_bytes?: number,
): Promise<Uint8Array | string | null | undefined> {
  const { body } = request
  if (body instanceof Uint8Array || typeof body === 'string') return body
  if (body !== undefined) return undefined
  return readBody(keepOpen(request), max_body_bytes)
}

/** Leaving the loop early must not destroy the request, whose response is still to be sent. */
const keepOpen = (request: NodeRequest): AsyncIterable<Uint8Array | string> => {
  const { iterator } = request as { iterator?: (options: object) => AsyncIterable<Uint8Array> }
  return iterator ? iterator.call(request, { destroyOnReturn: false }) : request
}
