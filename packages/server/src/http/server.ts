import { Readable } from 'node:stream'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Observation } from '../engine/observe.ts'
import { observation } from '../engine/observe.ts'
import { Problem } from '../engine/problem.ts'
import { monotonic_ms } from '../platform/clock.ts'
import { nextRequestId } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { batchWrites } from './batch-writes.ts'
import type { CallMetrics } from './call-metrics.ts'
import { createLimitedServer, default_connection_limits, type ConnectionLimits } from './connection-limits.ts'
import { sendFailure } from './failure.ts'
import { openOutageAdvice, type OutageAdvice } from './outage-advice.ts'
import { preflightHeaders, type Preflight } from './preflight.ts'
import { openResponseBudget, type HeldBytes, type ResponseBudget } from './response-budget.ts'
import { answerUnreadable } from './unreadable.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly outageAdvice: OutageAdvice
    readonly responseBudget: ResponseBudget
  }
  interface FastifyRequest {
    /** What the one log line of this request will say. */
    seen: Observation
    started_ms: number
    /** Bytes of the response that are counted (`holdBytes`). */
    held: HeldBytes | null
    /** Made when somebody asks for it (`goneSignal`). */
    gone: AbortController | null
  }
}

export interface ServerOptions {
  /** Nobody, everybody, so many hops, or these addresses. */
  readonly trustProxy: boolean | number | readonly string[]
  readonly log: Logger
  readonly metrics: CallMetrics
  /** Null: the host and port of each request. */
  readonly baseUrl: string | null
  /** True where payments move no real money; every response then says so. */
  readonly playMoney?: boolean
  /** Without them the usual ones. */
  readonly connections?: ConnectionLimits
  /** Without it one that refuses nothing. */
  readonly responseBudget?: ResponseBudget
}

const unlimited = { in_flight_limit_bytes: Infinity, in_flight_total_bytes: Infinity }

/** Says that what a response tells of money is not about real money. */
export const playMoneyHeader = 'swath-play-money'

/** Fastify with everything switched off that the pipeline does itself: bodies stay unread streams until a call may ask. */
export function openServer(options: ServerOptions): FastifyInstance {
  const { connections = default_connection_limits } = options
  const app = fastify({
    serverFactory: (handle) => createLimitedServer(handle, connections),
    trustProxy: hops(options.trustProxy),
    loggerInstance: silent(options.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      sendFailure(reply, request, error, baseOf(request, options.baseUrl))
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, options.baseUrl ?? ''),
  })
  batchWrites(app.server)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.decorate('outageAdvice', openOutageAdvice())
  app.decorate('responseBudget', options.responseBudget ?? openResponseBudget(unlimited))
  app.decorateRequest('seen')
  app.decorateRequest('gone', null)
  app.decorateRequest('held', null)
  app.decorateRequest('started_ms', 0)
  app.addHook('onRequest', (request, reply, done) => {
    request.started_ms = monotonic_ms()
    request.seen = observation()
    reply.header('x-request-id', request.id).header('access-control-allow-origin', '*')
    // Addresses are made from the Host header, which anybody can write: no cache may give them to somebody else.
    if (options.baseUrl === null) reply.header('cache-control', 'no-store')
    if (options.playMoney) reply.header(playMoneyHeader, 'true')
    if (request.headers.origin !== undefined) reply.header('access-control-expose-headers', exposed)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    writeLine(options, request, reply)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendFailure(reply, request, error, baseOf(request, options.baseUrl)))
  app.setNotFoundHandler((request, reply) =>
    sendFailure(
      reply,
      request,
      new Problem('unknown-operation', `Nothing answers ${request.method} ${pathOf(request)}.`),
      baseOf(request, options.baseUrl),
    ),
  )
  app.options('/*', async (request, reply) => reply.code(204).headers(preflightHeaders(request, preflight)).send())
  return app
}

/** So many proxies in front of us are believed. */
function hops(trust: ServerOptions['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  return typeof trust === 'boolean' ? trust : [...trust]
}

/** What browsers may send from any origin. */
const preflight: Preflight = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  headers: 'authorization, content-type, idempotency-key, x-api-key, range, if-match, if-none-match',
}

/** Aborted when the caller goes away before the answer is complete. */
export function goneSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  if (request.gone) return request.gone.signal
  const gone = new AbortController()
  request.gone = gone
  const leave = (): void => {
    if (!reply.raw.writableFinished) gone.abort(new Error('the caller has gone away'))
  }
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
  return gone.signal
}

/** What a page of another origin may read of an answer beside its body. */
const exposed =
  'content-range, deprecation, etag, idempotency-replayed, link, location, ratelimit, ratelimit-policy, retry-after, sunset, swath-play-money, x-request-id'

export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** The address under which the caller reached us, unless configuration fixes it. */
export function baseOf(request: FastifyRequest, configured: string | null): string {
  if (configured) return configured
  const host = /^[\w.:[\]-]{1,255}$/.test(request.host) ? request.host : 'localhost'
  return `${request.protocol}://${host}`
}

function writeLine({ log, metrics }: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const took_ms = monotonic_ms() - request.started_ms
  const operation = request.seen.facts['operation']
  metrics.record(typeof operation === 'string' ? operation : 'none', reply.statusCode, took_ms)
  log.info(
    {
      request: request.id,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(took_ms * 100) / 100,
      ...request.seen.facts,
    },
    'call',
  )
}

/** Fastify's own remarks go to the house's log, from warnings upwards. */
function silent(log: Logger): FastifyBaseLogger {
  const nothing = (): void => {}
  const own: FastifyBaseLogger = {
    level: 'warn',
    silent: nothing,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    fatal: log.fatal.bind(log),
    child: () => own,
  } as FastifyBaseLogger
  return own
}

/** The unread body of a request; null where there is none. */
export const bodyStream = (request: FastifyRequest): Readable | null =>
  request.body instanceof Readable ? request.body : null
