import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { blockOf } from './address-block.ts'
import { headerOf } from './door.ts'
import { sendFailure } from './failure.ts'
import { baseOf } from './server.ts'

/** One request to an OIDC endpoint of the realm. */
export interface IdentityRequest {
  readonly form: URLSearchParams
  readonly authorization: string | null
  readonly apiKey: string | null
  /** The client's IP address or IPv6 block, which failures are counted by. */
  readonly address: string
  readonly base: string
}

/** `body` is JSON, a line of text, or absent. */
export interface IdentityAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> | string | null
  readonly headers: Readonly<Record<string, string>>
}

type Endpoint = (request: IdentityRequest) => Promise<IdentityAnswer>

/** The OIDC endpoints. They return OAuth errors as responses, and throw problems and internal errors. */
export interface IdentityDoor extends Readonly<Record<EndpointName, Endpoint>> {
  /** The configured base URL; null takes that of each request. */
  readonly base_url: string | null
}

type EndpointName = 'token' | 'certs' | 'userinfo' | 'introspect' | 'revoke' | 'logout' | 'discovery'

const realm = '/realms/public'
const endpoints = `${realm}/protocol/openid-connect`
const discoveryDocument = '/.well-known/openid-configuration'
const formType = 'application/x-www-form-urlencoded'
const formLimit_bytes = 16 * 1024

interface Row {
  readonly methods: readonly ('GET' | 'POST')[]
  readonly path: string
  readonly endpoint: EndpointName
}

const rows: readonly Row[] = [
  { methods: ['POST'], path: `${endpoints}/token`, endpoint: 'token' },
  { methods: ['GET'], path: `${endpoints}/certs`, endpoint: 'certs' },
  { methods: ['GET', 'POST'], path: `${endpoints}/userinfo`, endpoint: 'userinfo' },
  { methods: ['POST'], path: `${endpoints}/token/introspect`, endpoint: 'introspect' },
  { methods: ['POST'], path: `${endpoints}/revoke`, endpoint: 'revoke' },
  { methods: ['GET', 'POST'], path: `${endpoints}/logout`, endpoint: 'logout' },
  { methods: ['GET'], path: `${realm}${discoveryDocument}`, endpoint: 'discovery' },
  { methods: ['GET'], path: `${endpoints}${discoveryDocument}`, endpoint: 'discovery' },
]

/** The form of a POST, the query of a GET. Any other body counts as an empty form, so the error names the missing fields. */
function formOf(request: FastifyRequest): URLSearchParams {
  if (request.body instanceof URLSearchParams) return request.body
  if (request.method === 'POST') return new URLSearchParams()
  const mark = request.url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1))
}

function send(reply: FastifyReply, { status, body, headers }: IdentityAnswer): FastifyReply {
  reply.code(status).headers(headers)
  if (body === null) return reply.send()
  if (typeof body === 'string') return reply.type('text/plain; charset=utf-8').send(body)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Without a configured base URL, responses have URLs from the Host header, so caches must not share them. */
const notShared = (answer: IdentityAnswer): IdentityAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'cache-control': 'no-store' },
})

/** Registers the OIDC endpoints of the realm, in a Fastify scope of their own that parses forms. */
export function identityRoutes(app: FastifyInstance, identity: IdentityDoor): void {
  const baseFor = (request: FastifyRequest): string => baseOf(request, identity.base_url)
  void app.register(async (scope) => {
    scope.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: formLimit_bytes }, (_request, text, done) =>
      done(null, new URLSearchParams(String(text))),
    )
    scope.setErrorHandler((error, request, reply) => {
      if ((error as { statusCode?: unknown }).statusCode !== 413) {
        return sendFailure(reply, request, error, baseFor(request))
      }
      const body = { error: 'invalid_request', error_description: 'The form is too large.' }
      return send(reply, { status: 413, body, headers: { 'cache-control': 'no-store' } })
    })
    for (const { methods, path, endpoint } of rows) {
      scope.route({
        method: [...methods],
        url: path,
        handler: async (request, reply) => {
          request.seen.set({ endpoint })
          const answer = await identity[endpoint]({
            form: formOf(request),
            authorization: request.headers.authorization ?? null,
            apiKey: headerOf(request, 'x-api-key'),
            address: blockOf(request.ip),
            base: baseFor(request),
          })
          return send(reply, identity.base_url === null ? notShared(answer) : answer)
        },
      })
    }
  })
}
