import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '@swath/contract/operation.ts'
import { contractRoutes, type NarrowedInputRange, type ContractRoute } from '@swath/contract/routes.ts'
import type { CallResult } from '../../engine/pipeline/call-result.ts'
import { Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import { parseQueryInput } from '../../engine/input/read-input.ts'
import { createDeprecationHeaders } from '../deprecation-headers.ts'
import {
  readJsonBody,
  dispatchHttpCall,
  canRefuseForMemory,
  sendCallResult,
  type HttpRouteContext,
} from '../http-call.ts'
import { compressBody } from '../compress-body.ts'
import { isNotModified } from '../send-response.ts'
import { viewAsBuffer } from '../view-bytes.ts'
import { toTextBody } from '../send-text.ts'
import { resolveBaseUrl } from '../server.ts'
import { routeRepresentations } from '../representations/representations.ts'
import { normalizeStacQuery } from '../stac-query.ts'
import { renderOwsExceptionReport, OwsException, parseWmtsParameters, findWmtsOperation } from '../wmts-kvp.ts'
import { isUuid } from '../../platform/ids.ts'

/** Registers the routes of the contract (REST, STAC, WMTS); all run the same pipeline as the operation routes. */
export function registerContractRoutes(app: FastifyInstance, http: HttpRouteContext): void {
  for (const route of contractRoutes) {
    const url = toRouterPath(route.path)
    const deprecationHeadersFor = createDeprecationHeaders(route)
    app.route({
      method: route.method,
      url,
      handler: async (request, reply) => {
        // Set before anything can fail: error responses have them, too.
        if (deprecationHeadersFor)
          reply.headers(
            deprecationHeadersFor(request.params as Record<string, string>, resolveBaseUrl(request, http.baseUrl)),
          )
        const parsedQuery = route.acceptsTileToken
          ? extractTileToken(request.query as QueryParameters)
          : { query: request.query as QueryParameters, key: null }
        // The URL has a secret, which must not be sent on in a Referer header.
        if (parsedQuery.key !== null) reply.header('referrer-policy', 'no-referrer')
        const id = route.dialect === 'wmts' ? findWmtsOperation(parsedQuery.query, route.operation) : route.operation
        const readInput = (operation: Operation): Promise<unknown> =>
          buildInput(http, { route, operation }, request, parsedQuery)
        try {
          return sendRepresentation(
            route,
            reply,
            `${resolveBaseUrl(request, http.baseUrl)}${request.url.split('?', 1)[0]}`,
            await dispatchHttpCall(http, {
              request,
              reply,
              operation: id,
              readBody: readInput,
              tileToken: parsedQuery.key,
            }),
          )
        } catch (error) {
          if (!(error instanceof OwsException)) throw toRouteError(route, error)
          return reply.code(error.status).type('application/xml').send(renderOwsExceptionReport(error))
        }
      },
    })
  }
}

const toRouteError = ({ dialect, hasErrorMember, problemStatuses }: ContractRoute, error: unknown): unknown => {
  if (dialect === 'stac') return toInvalidParameter(error)
  const status = error instanceof Problem ? problemStatuses?.[error.problem] : undefined
  if (status !== undefined && error instanceof Problem)
    return new Problem(error.problem, error.message, error.extra, status)
  if (!hasErrorMember || !(error instanceof Problem)) return error
  const { problem, message, extra } = error
  return new Problem(problem, message, { ...extra, error: { code: problem, message } })
}

/** The STAC API responds with 400 where operations respond with 422. */
function toInvalidParameter(error: unknown): unknown {
  if (!(error instanceof Problem) || error.problem !== 'validation') return error
  return new Problem('invalid-parameter', error.message, error.extra)
}

/** A path template in the router's syntax. A parameter before anything but a slash or dot, as in `{y}@2x`, is digits only. */
const toRouterPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}(?=([/.]|$)?)/g, (_whole, name: string, end: string | undefined, at: number) =>
    end === undefined && at + name.length + 2 < path.length ? `:${name}(^\\d+)` : `:${name}`,
  )

type QueryParameters = Readonly<Record<string, unknown>>

interface ParsedQuery {
  /** The parameters without the tile token. */
  readonly query: QueryParameters
  readonly key: string | null
}

/** Separates the tile token, `key` or `token` in any case, from the other query parameters. */
function extractTileToken(query: QueryParameters): ParsedQuery {
  const isKey = ([name]: readonly [string, unknown]): boolean => /^(key|token)$/i.test(name)
  const entries = Object.entries(query)
  const key = entries.find(isKey)?.[1]
  return {
    query: Object.fromEntries(entries.filter((entry) => !isKey(entry))),
    key: typeof key === 'string' && key !== '' ? key : null,
  }
}

async function buildInput(
  http: HttpRouteContext,
  { route, operation }: { readonly route: ContractRoute; readonly operation: Operation },
  request: FastifyRequest,
  { query: parsedQuery, key }: ParsedQuery,
): Promise<unknown> {
  const params = request.params as Record<string, string>
  requireIdParameters(route, operation, params)
  const parameters = queryParameters(route, operation, parsedQuery, params)
  // Operations that describe tiles repeat the token in the tile URLs.
  const tileTokenField = key !== null && hasInputField(operation, 'key') ? { key } : {}
  const urlParameters: Record<string, unknown> = { ...parameters, ...tileTokenField, ...params }
  const query = applyRouteLimits(route, parseQueryInput(operation, renameMembers(urlParameters, route.rename)))
  const base = resolveBaseUrl(request, http.baseUrl)
  const baseUrlField = route.dialect && hasInputField(operation, 'base_url') ? { base_url: base } : {}
  const fixedParameters = fillFixedParameters(route, base)
  const ifMatchField = hasInputField(operation, 'if_match') ? { if_match: request.headers['if-match'] ?? null } : {}
  const jsonBody = methodsWithBody.has(route.method) ? await readJsonBody(http, operation, request) : undefined
  // A null body counts as empty here, as in `readInput`, because URL parameters are merged into it.
  const body = jsonBody === null ? {} : jsonBody
  if (route.body !== undefined)
    return { ...query, [route.body]: body, ...ifMatchField, ...baseUrlField, ...fixedParameters }
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) return body
  const members = Object.entries(body ?? {}).filter(([name]) => !route.ignored?.includes(name))
  return { ...query, ...Object.fromEntries(members), ...ifMatchField, ...baseUrlField, ...fixedParameters }
}

function renameMembers(
  members: Readonly<Record<string, unknown>>,
  rename: ContractRoute['rename'],
): Readonly<Record<string, unknown>> {
  if (!rename) return members
  const names = new Map(Object.entries(rename))
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [names.get(name) ?? name, value]))
}

const fillFixedParameters = ({ fixed }: ContractRoute, base: string): Readonly<Record<string, unknown>> | undefined =>
  fixed &&
  Object.fromEntries(
    Object.entries(fixed).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace('{base}', base) : value,
    ]),
  )

const methodsWithBody: ReadonlySet<ContractRoute['method']> = new Set(['POST', 'PUT', 'PATCH'])

/** Throws `not-found` if a path parameter is an id of the wrong form, on routes where that names nothing. */
function requireIdParameters(
  { notFoundIfMalformed = [], rename = {} }: ContractRoute,
  operation: Operation,
  params: Readonly<Record<string, string>>,
): void {
  const isId = (name: string): boolean =>
    notFoundIfMalformed === 'ids' ? isIdField(operation, rename[name] ?? name) : notFoundIfMalformed.includes(name)
  const name = Object.keys(params).find((parameter) => isId(parameter) && !isUuid(params[parameter] ?? ''))
  if (name !== undefined) throw new Problem('not-found', `There is no resource with the id "${params[name]}".`)
}

interface FieldSchema {
  readonly format?: string
  readonly anyOf?: readonly FieldSchema[]
}

/** Says whether a field of the input takes an id of the platform, and maybe null. */
function isIdField({ input }: Operation, field: string): boolean {
  const { properties } = input as unknown as { readonly properties: Readonly<Record<string, FieldSchema>> }
  const schema = properties[field]
  return schema !== undefined && [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === 'uuid')
}

function queryParameters(
  { dialect, commaSeparated = [], ignored = [] }: ContractRoute,
  operation: Operation,
  parsedQuery: QueryParameters,
  params: Record<string, string>,
): QueryParameters {
  if (dialect === 'wmts') return parseWmtsParameters(parsedQuery, params['id'] ?? '')
  if (dialect === 'stac') return normalizeStacQuery(parsedQuery, (field) => hasInputField(operation, field))
  if (commaSeparated.length === 0 && ignored.length === 0) return parsedQuery
  const joined = commaSeparated.flatMap((name) => {
    const value = parsedQuery[name]
    return Array.isArray(value) ? [[name, value.join(',')] as const] : []
  })
  const entries = Object.entries(parsedQuery).filter(([name]) => !ignored.includes(name))
  return { ...Object.fromEntries(entries), ...Object.fromEntries(joined) }
}

const hasInputField = ({ input }: Operation, field: string): boolean =>
  Object.hasOwn((input as unknown as { properties: object }).properties, field)

/** Applies the narrower limits and defaults that a route has for query parameters. */
function applyRouteLimits(route: ContractRoute, input: Record<string, unknown>): Record<string, unknown> {
  if (!route.query) return input
  const errors: FieldError[] = []
  const result = { ...input }
  for (const [name, range] of Object.entries(route.query)) {
    const value = input[name]
    if (value === undefined && range.default !== undefined) result[name] = range.default
    const message = typeof value === 'number' ? rangeError(value, range) : null
    if (message) errors.push({ path: name, message: message })
  }
  if (errors.length > 0) throw validationProblem(errors, 'query')
  return result
}

function rangeError(value: number, { minimum, maximum }: NarrowedInputRange): string | null {
  if (minimum !== undefined && value < minimum) return `must be >= ${minimum}`
  if (maximum !== undefined && value > maximum) return `must be <= ${maximum}`
  return null
}

function sendRepresentation(route: ContractRoute, reply: FastifyReply, url: string, result: CallResult): FastifyReply {
  if (!route.representation) return sendCallResult(reply, result)
  const { status, media_type, headers, body } = routeRepresentations[route.representation](result, url)
  reply.headers(headers)
  if (status === 200 && isNotModified(reply, headers['etag'])) return reply.code(304).send()
  if (body === null) return reply.code(status).send()
  if (media_type) reply.type(media_type)
  const uncompressed =
    body instanceof Uint8Array ? viewAsBuffer(body) : toTextBody(reply, body, canRefuseForMemory(result))
  return reply.code(status).send(compressBody(reply, uncompressed, media_type))
}
