import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '@swath/contract/operation.ts'
import { contractRoutes, type NarrowedInputRange, type ContractRoute } from '@swath/contract/routes.ts'
import type { CallResult } from '../../engine/pipeline/call-result.ts'
import { Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import { parseQueryInput } from '../../engine/input/read-input.ts'
import { isPlainObject } from '../../engine/input/schema-transform.ts'
import { createDeprecationHeaders } from '../deprecation-headers.ts'
import {
  readJsonBody,
  dispatchHttpCall,
  canRefuseForMemory,
  sendCallResult,
  type HttpRouteContext,
} from '../http-call.ts'
import { isNotModified } from '../send-response.ts'
import { viewAsBuffer } from '../view-bytes.ts'
import { toTextBody } from '../send-text.ts'
import { resolveBaseUrl } from '../server.ts'
import { routeRepresentations } from '../representations/representations.ts'
import { toInvalidParameter } from '../invalid-parameter.ts'
import { throwStoredProblem } from '../stored-problem.ts'
import { normalizeStacQuery } from '../stac-query.ts'
import { buildProblemHeaders, logErrorAsProblem } from '../send-problem.ts'
import {
  findWmtsOperation,
  OwsException,
  parseWmtsParameters,
  renderOwsExceptionReport,
  toOwsException,
} from '../wmts-kvp.ts'
import { isUuid } from '../../platform/ids.ts'

/** Registers the routes of the contract (REST, STAC, WMTS); all run the same pipeline as the operation routes. */
export function registerContractRoutes(app: FastifyInstance, http: HttpRouteContext): void {
  for (const route of contractRoutes) {
    const url = toRouterPath(route.path)
    const deprecationHeadersFor = createDeprecationHeaders(route)
    app.route({
      method: route.method,
      url,
      config: { hasTextDetail: route.dialect === 'stac', imageFormat: route.imageFormat },
      handler: async (request, reply) => {
        // Set before anything can fail: error responses have them, too.
        if (deprecationHeadersFor)
          reply.headers(
            deprecationHeadersFor(request.params as Record<string, string>, resolveBaseUrl(request, http.baseUrl)),
          )
        const parsedQuery = route.urlToken
          ? extractUrlToken(request.query as QueryParameters)
          : { query: request.query as QueryParameters, key: null }
        if (route.hasTokens) reply.header('cache-control', 'no-store')
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
              urlToken:
                route.urlToken && parsedQuery.key !== null ? { kind: route.urlToken, text: parsedQuery.key } : null,
            }),
          )
        } catch (error) {
          if (route.dialect !== 'wmts') throw toRouteError(route, error)
          return sendExceptionReport(reply, request, error, resolveBaseUrl(request, http.baseUrl))
        }
      },
    })
  }
}

/** Every error of a map service is an exception report, with the status and headers of its problem. */
function sendExceptionReport(
  reply: FastifyReply,
  request: FastifyRequest,
  error: unknown,
  baseUrl: string,
): FastifyReply {
  const report = (exception: OwsException): FastifyReply =>
    reply
      .code(exception.status)
      .header('cache-control', 'no-store')
      .type('application/xml')
      .send(renderOwsExceptionReport(exception))
  if (error instanceof OwsException) return report(error)
  const problem = logErrorAsProblem(request, error)
  reply.headers(buildProblemHeaders(problem, reply, baseUrl))
  return report(toOwsException(problem))
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

/** A path template in the router's syntax. A parameter before anything but a slash or dot, as in `{y}@2x`, is digits only. */
const toRouterPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}(?=([/.]|$)?)/g, (_whole, name: string, end: string | undefined, at: number) =>
    end === undefined && at + name.length + 2 < path.length ? `:${name}(^\\d+)` : `:${name}`,
  )

type QueryParameters = Readonly<Record<string, unknown>>

interface ParsedQuery {
  /** The parameters without the token. */
  readonly query: QueryParameters
  readonly key: string | null
}

/** Separates the token, `key` or `token` in any case, from the other query parameters. */
function extractUrlToken(query: QueryParameters): ParsedQuery {
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
  const parameters = queryParameters(route, parsedQuery, params)
  // Operations that describe tiles repeat the token in the tile URLs.
  const tileTokenField = key !== null && hasInputField(operation, 'key') ? { key } : {}
  const urlParameters: Record<string, unknown> = { ...parameters, ...tileTokenField, ...params }
  const query = applyRouteLimits(route, parseQueryInput(operation, renameMembers(urlParameters, route.rename)))
  const base = resolveBaseUrl(request, http.baseUrl)
  const baseUrlField = route.dialect && hasInputField(operation, 'base_url') ? { base_url: base } : {}
  const fixedParameters = { ...imageFormatOf(route, request), ...fillFixedParameters(route, base) }
  const ifMatchField = hasInputField(operation, 'if_match') ? { if_match: request.headers['if-match'] ?? null } : {}
  const body = methodsWithBody.has(route.method) ? await readJsonBody(http, operation, request) : undefined
  if (route.body !== undefined)
    return {
      ...query,
      [route.body]: moveIntoProperties(body, route.propertyMembers),
      ...ifMatchField,
      ...baseUrlField,
      ...fixedParameters,
    }
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) return body
  const members = Object.entries(body ?? {}).filter(([name]) => !route.ignored?.includes(name))
  return { ...query, ...Object.fromEntries(members), ...ifMatchField, ...baseUrlField, ...fixedParameters }
}

const imageFormats = { 'image/png': 'png', 'image/jpeg': 'jpeg' } as const

/** The format that `Accept` names, on routes with a format of their own. None beside a query parameter. */
function imageFormatOf({ imageFormat }: ContractRoute, request: FastifyRequest): { readonly format?: string } {
  if (imageFormat === undefined || Object.hasOwn(request.query as QueryParameters, 'format')) return {}
  const named = Object.entries(imageFormats).find(([media_type]) => request.headers.accept?.includes(media_type))
  return named ? { format: named[1] } : {}
}

/** The body with some of its members moved into its member `properties`. */
function moveIntoProperties(body: unknown, names: ContractRoute['propertyMembers'] = []): unknown {
  if (!isPlainObject(body) || !names.some((name) => name in body)) return body
  const { properties } = body
  const [moved, rest] = [true, false].map((isMoved) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name) === isMoved)),
  )
  return { ...rest, properties: { ...(isPlainObject(properties) ? properties : {}), ...moved } }
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
  parsedQuery: QueryParameters,
  params: Record<string, string>,
): QueryParameters {
  if (dialect === 'wmts') return parseWmtsParameters(parsedQuery, params['id'] ?? '')
  const effectiveQuery = ignored.length === 0 ? parsedQuery : omitMembers(parsedQuery, ignored)
  if (dialect === 'stac') return normalizeStacQuery(effectiveQuery)
  if (commaSeparated.length === 0) return effectiveQuery
  const joined = commaSeparated.flatMap((name) => {
    const value = effectiveQuery[name]
    return Array.isArray(value) ? [[name, value.join(',')] as const] : []
  })
  return { ...effectiveQuery, ...Object.fromEntries(joined) }
}

const omitMembers = (members: QueryParameters, names: readonly string[]): QueryParameters =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

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
  if (route.hasErrorMember || route.problemStatuses) throwStoredProblem(reply, result)
  if (!route.representation) return sendCallResult(reply, result)
  const { status, media_type, headers, body } = routeRepresentations[route.representation](result, url)
  reply.headers(headers)
  if (status === 200 && isNotModified(reply, headers['etag'])) return reply.code(304).send()
  if (body === null) return reply.code(status).send()
  if (media_type) reply.type(media_type)
  return reply
    .code(status)
    .send(body instanceof Uint8Array ? viewAsBuffer(body) : toTextBody(reply, body, canRefuseForMemory(result)))
}
