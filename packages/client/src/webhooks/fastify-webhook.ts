import { default_max_body_bytes, receiveWebhook, type WebhookReceiverOptions } from './receive-webhook.ts'

/** What the plugin uses of Fastify 5. */
interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: never, done: (error: null, body: unknown) => void) => void,
  ): unknown
  post(path: string, handler: (request: never, reply: never) => Promise<unknown>): unknown
}

interface FastifyRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

interface FastifyReply {
  code(status: number): FastifyReply
  type(mediaType: string): FastifyReply
  send(body: string): unknown
}

/** A plugin for Fastify: `app.register(fastifyWebhook('/swath', options))`. The parsers of the rest of the application stay as they are. */
export const fastifyWebhook =
  (path: string, options: WebhookReceiverOptions) =>
  async (instance: object): Promise<void> => {
    // The overloads of Fastify's own types fit no description of them.
    const scope = instance as FastifyScope
    const bodyLimit = options.max_body_bytes ?? default_max_body_bytes
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
    scope.post(path, async (request: FastifyRequest, reply: FastifyReply) => {
      const body = request.body instanceof Uint8Array ? request.body : ''
      const answer = await receiveWebhook(options, { headers: request.headers, body })
      return reply.code(answer.status).type('text/plain').send(answer.body)
    })
  }
