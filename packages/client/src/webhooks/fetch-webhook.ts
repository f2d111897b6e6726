import {
  readBody,
  receiveWebhook,
  reportError,
  unreadableResponse,
  type WebhookReceiverOptions,
} from './receive-webhook.ts'

/** A handler for servers of requests of the Fetch standard: workers, Deno, Bun, Hono, routes of Next.js. */
export const fetchWebhook =
  (options: WebhookReceiverOptions) =>
  async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return new Response('POST only', { status: 405, headers: { allow: 'POST' } })
    const chunks = (request.body ?? []) as unknown as AsyncIterable<Uint8Array>
    const answer = await readBody(chunks, options.max_body_bytes).then(
      (body) => receiveWebhook(options, { headers: Object.fromEntries(request.headers), body }),
      (error: unknown) => {
        reportError(options, error)
        return unreadableResponse
      },
    )
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'text/plain' } })
  }
