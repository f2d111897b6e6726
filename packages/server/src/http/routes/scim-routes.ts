import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'
import { toIpAddressBlock } from '../address-block.ts'
import { getRequestHeader, readJsonBody, type HttpRouteContext } from '../http-call.ts'
import { buildProblemHeaders, logErrorAsProblem } from '../send-problem.ts'
import { resolveBaseUrl } from '../server.ts'

/** A request of a directory, as the module of identity understands it. */
export interface ScimHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The parts of the path below that of SCIM, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly authorization: string | null
  readonly ifMatch: string | null
  readonly ifNoneMatch: string | null
  readonly requestId: string
  readonly address: string
  readonly baseUrl: string
  readBody(): Promise<unknown>
}

export interface ScimHttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | null
}

/** The interface of directories. It answers errors of requests itself, and throws internal ones. */
export interface ScimRoutes extends Omit<HttpRouteContext, 'pipeline'> {
  readonly handle: (request: ScimHttpRequest) => Promise<ScimHttpResponse>
}

const root = '/scim/v2'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const mediaType = 'application/scim+json; charset=utf-8'
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

const body_limit = { body_limit_bytes: limits.max_body_bytes }

function readPath({ url }: FastifyRequest): readonly string[] {
  const [path = ''] = url.slice(root.length).split('?')
  const parts = path.split('/').filter((part) => part !== '')
  try {
    return parts.map((part) => decodeURIComponent(part))
  } catch {
    throw new Problem('malformed', 'The URL is not encoded as one.')
  }
}

function readQuery({ url }: FastifyRequest): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
}

const send = (reply: FastifyReply, { status, headers, body }: ScimHttpResponse): FastifyReply => {
  reply.code(status).headers({ 'cache-control': 'no-store', ...headers })
  return body === null ? reply.send() : reply.type(mediaType).send(JSON.stringify(body))
}

/** An error of the server as a document of SCIM, without what only an operator understands. */
function sendError(reply: FastifyReply, request: FastifyRequest, error: unknown, baseUrl: string): FastifyReply {
  const problem = logErrorAsProblem(request, error)
  const detail = problem.status === 500 ? `An internal error; its trace is ${request.id}.` : problem.message
  const body = { schemas: [errorSchema], status: String(problem.status), detail }
  return send(reply, { status: problem.status, headers: { ...buildProblemHeaders(problem, reply, baseUrl) }, body })
}

/** Registers SCIM, in a Fastify scope of its own: all errors there are documents of SCIM. */
export function registerScimRoutes(app: FastifyInstance, { handle, ...http }: ScimRoutes): void {
  void app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) =>
      sendError(reply, request, error, resolveBaseUrl(request, http.baseUrl)),
    )
    for (const url of [root, `${root}/*`]) {
      scope.route({
        method: [...methods],
        url,
        handler: async (request, reply) => {
          request.callLog.set({ endpoint: 'scim' })
          const response = await handle({
            method: request.method as ScimHttpRequest['method'],
            path: readPath(request),
            query: readQuery(request),
            authorization: request.headers.authorization ?? null,
            ifMatch: getRequestHeader(request, 'if-match'),
            ifNoneMatch: getRequestHeader(request, 'if-none-match'),
            requestId: request.id,
            address: toIpAddressBlock(request.ip),
            baseUrl: resolveBaseUrl(request, http.baseUrl),
            readBody: async () => (await readJsonBody(http, body_limit, request)) ?? null,
          })
          return send(reply, response)
        },
      })
    }
  })
}
