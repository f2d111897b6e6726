import { Readable } from 'node:stream'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { CallLogRecord } from '../engine/call-log.ts'
import { createCallLog } from '../engine/call-log.ts'
import { Problem } from '../engine/problem.ts'
import { monotonic_ms } from '../platform/clock.ts'
import { createRequestId } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { collectRoutes } from './route-table.ts'
import { batchSocketWrites } from './batch-writes.ts'
import type { CallMetrics } from './call-metrics.ts'
import { registerCompression } from './bodies/compression.ts'
import { createLimitedServer, default_connection_limits, type ConnectionLimits } from './connection-limits.ts'
import { createMethodProblem, sendProblem } from './send-problem.ts'
import { createOutageRetryAfter, type OutageRetryAfter } from './outage-retry-after.ts'
import { preflightHeaders, type PreflightPolicy } from './preflight.ts'
import { createResponseBudget, type ResponseBytesReservation, type ResponseBudget } from './response-budget.ts'
import { sendClientError } from './client-error.ts'
import { isServedHost, createUnservedHostProblem } from './served-hosts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly outageRetryAfter: OutageRetryAfter
    readonly responseBudget: ResponseBudget
    /** Sends the page of an address that has no route to a browser; null answers with a problem document only. */
    sendMissingPage: ((reply: FastifyReply) => Promise<FastifyReply>) | null
    /** The host names that are served; null for all. */
    readonly servedHosts: ReadonlySet<string> | null
    /** All routes, such as `GET /v1/op/:id`. */
    readonly listRoutes: () => readonly string[]
    /** True once the server is to stop: it still serves, and its readiness probe fails. */
    readonly isDraining: () => boolean
    /** Serves for some more time in that state and closes each connection after its response. */
    readonly drain: (delay_ms: number) => Promise<void>
  }
  interface FastifyRequest {
    /** Collects the fields of the one log line of this request. */
    callLog: CallLogRecord
    started_ms: number
    /** Bytes reserved for the response (`reserveResponseBytes`). */
    reservedBytes: ResponseBytesReservation | null
    /** Created on demand (`createDisconnectSignal`). */
    disconnectController: AbortController | null
  }
}

export interface ServerOptions {
  /** No proxy, all, a number of hops, or these addresses. */
  readonly trustProxy: boolean | number | readonly string[]
  readonly log: Logger
  readonly metrics: CallMetrics
  /** Null takes the host and port of each request. */
  readonly baseUrl: string | null
  /** Requests for other host names are refused. Defaults to all, which only a server with a configured URL should serve. */
  readonly servedHosts?: ReadonlySet<string>
  /** Time for which browsers reach the host only by https (RFC 6797); 0 or absent: the header is not sent. */
  readonly hsts_max_age_s?: number
  /** True if payments move no real money; every response then has a header that says so. */
  readonly playMoney?: boolean
  /** Defaults to `default_connection_limits`. */
  readonly connections?: ConnectionLimits
  /** Defaults to one without limits. */
  readonly responseBudget?: ResponseBudget
}

const unlimitedResponses = { in_flight_limit_bytes: Infinity, in_flight_total_bytes: Infinity }

/** Marks responses of an installation whose payments move no real money, and those of sandbox organizations. */
export const playMoneyHeader = 'swath-play-money'

/** Every delivery of a webhook has it, and no subscriber can set or remove it. */
const webhookHeader = 'x-service-delivery-id'

/**
 * A webhook that reaches the service itself, under a name of which its configuration does not know, could call an operation whose
 * event is delivered again, for ever.
 */
const webhookLoop = (): Problem =>
  new Problem('forbidden', 'This request is a webhook of the platform, which must not call the platform itself.')

const max_parameter_length = 4096

/** Fastify without what the pipeline does itself: a body stays an unread stream until the call is authenticated. */
export function createHttpServer(options: ServerOptions): FastifyInstance {
  const { connections = default_connection_limits } = options
  const headers = commonHeaders(options)
  const app = fastify({
    serverFactory: (handle) => createLimitedServer(handle, connections),
    trustProxy: toTrustProxyOption(options.trustProxy),
    loggerInstance: warningsOnly(options.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestId,
    routerOptions: { maxParamLength: max_parameter_length, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply.headers(headers), request, error, resolveBaseUrl(request, options.baseUrl))
    },
    clientErrorHandler: (error, socket) => sendClientError(error, socket, options.baseUrl ?? ''),
  })
  batchSocketWrites(app.server)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.decorate('outageRetryAfter', createOutageRetryAfter())
  app.decorate('responseBudget', options.responseBudget ?? createResponseBudget(unlimitedResponses))
  app.decorate('sendMissingPage', null)
  app.decorate('servedHosts', options.servedHosts ?? null)
  decorateDrain(app)
  app.decorateRequest('callLog')
  app.decorateRequest('disconnectController', null)
  app.decorateRequest('reservedBytes', null)
  app.decorateRequest('started_ms', 0)
  app.addHook('onRequest', (request, reply, done) => {
    request.started_ms = monotonic_ms()
    request.callLog = createCallLog()
    reply.header('x-request-id', request.id).headers(headers)
    if (request.headers.origin !== undefined) reply.header('access-control-expose-headers', exposedHeaders)
    done(findRefusal(request))
  })
  app.addHook('onResponse', (request, reply, done) => {
    logCall(options, request, reply)
    done()
  })
  app.setErrorHandler((error, request, reply) =>
    sendProblem(reply, request, error, resolveBaseUrl(request, options.baseUrl)),
  )
  registerCompression(app)
  const routes = collectRoutes(app, { maxParamLength: max_parameter_length })
  app.decorate('listRoutes', () => routes.list())
  app.setNotFoundHandler((request, reply) => {
    if (app.sendMissingPage && acceptsPage(request) && !routes.hasFirstMember(request.url))
      return app.sendMissingPage(reply)
    const problem = createNoRouteProblem(request, routes.findMethods(getRequestPath(request)))
    return sendProblem(reply, request, problem, resolveBaseUrl(request, options.baseUrl))
  })
  app.options('/*', async (request, reply) => reply.code(204).headers(preflightHeaders(request, preflight)).send())
  return app
}

/** The headers of every response. */
const commonHeaders = ({ baseUrl, playMoney, hsts_max_age_s = 0 }: ServerOptions): Record<string, string> => ({
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  ...(hsts_max_age_s > 0 ? { 'strict-transport-security': `max-age=${hsts_max_age_s}` } : {}),
  // URLs in responses come from the Host header, which clients choose: shared caches must not store them.
  ...(baseUrl === null ? { 'cache-control': 'no-store' } : {}),
  ...(playMoney ? { [playMoneyHeader]: 'true' } : {}),
})

function createNoRouteProblem(request: FastifyRequest, allowed: readonly string[]): Problem {
  const path = getRequestPath(request)
  // A route may answer as if there were none.
  return allowed.length === 0 || allowed.includes(request.method)
    ? new Problem('unknown-operation', `There is no route for ${request.method} ${path}.`)
    : createMethodProblem(request.method, path, allowed)
}

/** Finds the problem for which a request is refused before its route runs. */
function findRefusal({ headers, hostname, server: { servedHosts } }: FastifyRequest): Problem | undefined {
  if (servedHosts && !isServedHost(servedHosts, hostname)) return createUnservedHostProblem()
  return headers[webhookHeader] === undefined ? undefined : webhookLoop()
}

/** A load balancer that reuses connections would send its next request on one that the stop is about to close. */
function decorateDrain(app: FastifyInstance): void {
  let isDraining = false
  app.decorate('isDraining', () => isDraining)
  app.decorate('drain', async (delay_ms: number) => {
    isDraining = true
    if (app.server.listening && delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms))
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining) reply.header('connection', 'close')
    done()
  })
}

/** True for the address bar of a browser; programs accept JSON or anything. */
const acceptsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** Converts the setting to Fastify's `trustProxy`; a number is the count of trusted hops. */
function toTrustProxyOption(
  trust: ServerOptions['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  return typeof trust === 'boolean' ? trust : [...trust]
}

/** Methods and headers that browsers may send from any origin. */
const preflight: PreflightPolicy = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  headers: 'authorization, content-encoding, content-type, idempotency-key, x-api-key, range, if-match, if-none-match',
}

/** Aborts if the client disconnects before the response is complete. */
export function createDisconnectSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  if (request.disconnectController) return request.disconnectController.signal
  const controller = new AbortController()
  request.disconnectController = controller
  const abortUnlessFinished = (): void => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client disconnected'))
  }
  if (reply.raw.destroyed) abortUnlessFinished()
  else reply.raw.once('close', abortUnlessFinished)
  return controller.signal
}

/** Response headers that pages of other origins may read. */
const exposedHeaders =
  'content-range, deprecation, etag, idempotency-replayed, link, location, ratelimit, ratelimit-policy, retry-after, swath-play-money, x-request-id'

export function getRequestPath({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** The configured base URL, or the one that the client used if it is served. */
export function resolveBaseUrl(request: FastifyRequest, configured: string | null): string {
  if (configured) return configured
  const { servedHosts } = request.server
  const isServed = !servedHosts || isServedHost(servedHosts, request.hostname)
  const host = isServed && /^[\w.:[\]-]{1,255}$/.test(request.host) ? request.host : 'localhost'
  return `${request.protocol}://${host}`
}

function logCall({ log, metrics }: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const duration_ms = monotonic_ms() - request.started_ms
  const operation = request.callLog.fields['operation']
  metrics.recordCall(typeof operation === 'string' ? operation : 'none', reply.statusCode, duration_ms)
  log.info(
    {
      request: request.id,
      method: request.method,
      path: getRequestPath(request),
      status: reply.statusCode,
      ms: Math.round(duration_ms * 100) / 100,
      ...request.callLog.fields,
    },
    'call',
  )
}

/** A Fastify logger that passes only warnings and errors to the log of the application. */
function warningsOnly(log: Logger): FastifyBaseLogger {
  const ignore = (): void => {}
  const fastifyLog: FastifyBaseLogger = {
    level: 'warn',
    silent: ignore,
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    fatal: log.fatal.bind(log),
    child: () => fastifyLog,
  } as FastifyBaseLogger
  return fastifyLog
}

/** The unread body of a request; null if it has none. */
export const getBodyStream = (request: FastifyRequest): Readable | null =>
  request.body instanceof Readable ? request.body : null
