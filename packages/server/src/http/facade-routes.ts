import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '@swath/contract/operation.ts'
import { routes, type Narrowing, type Route } from '@swath/contract/routes.ts'
import type { Outcome } from '../engine/pipeline.ts'
import { Problem, validationProblem, type Fault } from '../engine/problem.ts'
import { inputFromQuery } from '../engine/read-input.ts'
import { deprecationHeaders } from './deprecation-headers.ts'
import { bodyOf, enter, mayRefuse, send, type Doors } from './door.ts'
import { packBody } from './pack-body.ts'
import { isUnchanged } from './send-answer.ts'
import { textBody } from './send-text.ts'
import { baseOf } from './server.ts'
import { shapes } from './shapes/shapes.ts'
import { readStacQuery } from './stac-query.ts'
import { exceptionReport, OgcException, readWmts, requestedOf } from './wmts-kvp.ts'
import { isUuid } from '../platform/ids.ts'

/** Registers the routes of the contract (REST, STAC, WMTS); all run the same pipeline as the operation routes. */
export function facadeRoutes(app: FastifyInstance, doors: Doors): void {
  for (const route of routes) {
    const url = routerPath(route.path)
    const deprecated = deprecationHeaders(route)
    app.route({
      method: route.method,
      url,
      handler: async (request, reply) => {
        // Set before anything can fail: error responses have them, too.
        if (deprecated)
          reply.headers(deprecated(request.params as Record<string, string>, baseOf(request, doors.baseUrl)))
        const asked = route.keyed ? takeKey(request.query as Query) : { query: request.query as Query, key: null }
        // The URL has a secret, which must not be sent on in a Referer header.
        if (asked.key !== null) reply.header('referrer-policy', 'no-referrer')
        const id = route.dialect === 'wmts' ? requestedOf(asked.query, route.operation) : route.operation
        const readInput = (operation: Operation): Promise<unknown> => inputOf(doors, route, operation, request, asked)
        try {
          return sendShaped(route, reply, await enter(doors, request, reply, id, readInput, asked.key))
        } catch (error) {
          if (!(error instanceof OgcException)) throw route.dialect === 'stac' ? asBadRequest(error) : error
          return reply.code(error.status).type('application/xml').send(exceptionReport(error))
        }
      },
    })
  }
}

/** The STAC API responds with 400 where operations respond with 422. */
function asBadRequest(error: unknown): unknown {
  if (!(error instanceof Problem) || error.problem !== 'validation') return error
  return new Problem('invalid-parameter', error.message, error.extra)
}

/** A path template in the router's syntax. A parameter before anything but a slash or dot, as in `{y}@2x`, is digits only. */
const routerPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}(?=([/.]|$)?)/g, (_whole, name: string, end: string | undefined, at: number) =>
    end === undefined && at + name.length + 2 < path.length ? `:${name}(^\\d+)` : `:${name}`,
  )

type Query = Readonly<Record<string, unknown>>

interface Asked {
  /** The parameters without the tile token. */
  readonly query: Query
  readonly key: string | null
}

/** Separates the tile token, `key` or `token` in any case, from the other query parameters. */
function takeKey(query: Query): Asked {
  const isKey = ([name]: readonly [string, unknown]): boolean => /^(key|token)$/i.test(name)
  const entries = Object.entries(query)
  const key = entries.find(isKey)?.[1]
  return {
    query: Object.fromEntries(entries.filter((entry) => !isKey(entry))),
    key: typeof key === 'string' && key !== '' ? key : null,
  }
}

async function inputOf(
  doors: Doors,
  route: Route,
  operation: Operation,
  request: FastifyRequest,
  { query: asked, key }: Asked,
): Promise<unknown> {
  const params = request.params as Record<string, string>
  refuseAbsent(route, params)
  const spoken = spokenIn(route, operation, asked, params)
  // Operations that describe tiles repeat the token in the tile URLs.
  const carried = key !== null && takes(operation, 'key') ? { key } : {}
  const addressed: Record<string, unknown> = { ...spoken, ...carried, ...params }
  const names = new Map(Object.entries(route.rename ?? {}))
  const renamed = Object.fromEntries(Object.entries(addressed).map(([name, value]) => [names.get(name) ?? name, value]))
  const query = narrowed(route, inputFromQuery(operation, renamed))
  const base = baseOf(request, doors.baseUrl)
  const said = route.dialect && takes(operation, 'base_url') ? { base_url: base } : {}
  const fixed = Object.fromEntries(
    Object.entries(route.fixed ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace('{base}', base) : value,
    ]),
  )
  const tags = takes(operation, 'if_match') ? { if_match: request.headers['if-match'] ?? null } : {}
  const sent = withBody.has(route.method) ? await bodyOf(doors, operation, request) : undefined
  // A null body counts as empty here, as in `readInput`, because URL parameters are merged into it.
  const body = sent === null ? {} : sent
  if (route.body !== undefined) return { ...query, [route.body]: body, ...tags, ...said, ...fixed }
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) return body
  return { ...query, ...(body as object | undefined), ...tags, ...said, ...fixed }
}

const withBody: ReadonlySet<Route['method']> = new Set(['POST', 'PUT', 'PATCH'])

/** Throws `not-found` if a path parameter is not a UUID, on routes whose standard requires 404 for unknown ids. */
function refuseAbsent({ absent = [] }: Route, params: Readonly<Record<string, string>>): void {
  const name = absent.find((place) => !isUuid(params[place] ?? ''))
  if (name !== undefined) throw new Problem('not-found', `There is no resource with the id "${params[name]}".`)
}

function spokenIn({ dialect }: Route, operation: Operation, asked: Query, params: Record<string, string>): Query {
  if (dialect === 'wmts') return readWmts(asked, params['id'] ?? '')
  return dialect === 'stac' ? readStacQuery(asked, (field) => takes(operation, field)) : asked
}

const takes = ({ input }: Operation, field: string): boolean =>
  Object.hasOwn((input as unknown as { properties: object }).properties, field)

/** Applies the narrower limits and defaults that a route has for query parameters. */
function narrowed(route: Route, input: Record<string, unknown>): Record<string, unknown> {
  const faults: Fault[] = []
  const result = { ...input }
  for (const [name, range] of Object.entries(route.query ?? {})) {
    const value = input[name]
    if (value === undefined && range.default !== undefined) result[name] = range.default
    const fault = typeof value === 'number' ? outOfRange(value, range) : null
    if (fault) faults.push({ path: name, message: fault })
  }
  if (faults.length > 0) throw validationProblem(faults, 'query')
  return result
}

function outOfRange(value: number, { minimum, maximum }: Narrowing): string | null {
  if (minimum !== undefined && value < minimum) return `must be >= ${minimum}`
  if (maximum !== undefined && value > maximum) return `must be <= ${maximum}`
  return null
}

function sendShaped(route: Route, reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (!route.shape) return send(reply, outcome)
  const { status, media_type, headers, body } = shapes[route.shape](outcome)
  reply.headers(headers)
  if (status === 200 && isUnchanged(reply, headers['etag'])) return reply.code(304).send()
  if (body === null) return reply.code(status).send()
  if (media_type) reply.type(media_type)
  const plain = body instanceof Uint8Array ? Buffer.from(body) : textBody(reply, body, mayRefuse(outcome))
  return reply.code(status).send(packBody(reply, plain, media_type))
}
