import type { ProblemName } from '@swath/contract/problems.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, toProblemDocument } from '../engine/problem.ts'
import { BlobStoreUnavailable } from '../platform/blobs/blobs.ts'
import { chooseProblemMediaType } from './problem-media-type.ts'
import { formatBearerChallenge } from './protected-resource.ts'
import {
  isDatabaseOutage,
  isDiskFullError,
  isSearchTimeout,
  isStatementTimeout,
  isTransactionConflict,
  SearchCooldownFailure,
} from '../platform/database/failures.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `detail` is a text also for invalid input, as RFC 9457 says; the list is in `errors` alone. Routes of standards have it. */
    readonly hasTextDetail?: boolean
    /** The format of images for callers that accept anything. */
    readonly imageFormat?: 'png' | 'jpeg' | undefined
    /** A problem is `application/json` for clients that prefer it, as exceptions of OGC API - Processes are. */
    readonly hasJsonProblems?: boolean
  }
}

interface RefusedCaller {
  readonly baseUrl: string
  /** A request without credentials gets no error code (RFC 6750 3.1). */
  readonly hasCredentials: boolean
}

/** Response headers of a problem, by its name. */
const headersByProblem: Partial<Record<string, (problem: Problem, caller: RefusedCaller) => Record<string, string>>> = {
  unauthenticated: (_problem, { baseUrl, hasCredentials }) => ({
    'www-authenticate': formatBearerChallenge(baseUrl, hasCredentials ? { error: 'invalid_token' } : {}),
  }),
  'insufficient-scope': (problem, { baseUrl }) => ({
    'www-authenticate': formatBearerChallenge(baseUrl, {
      error: 'insufficient_scope',
      scope: String(problem.extra['required_scope'] ?? ''),
    }),
  }),
  'method-not-allowed': ({ extra }) => ({ allow: String(extra['allowed']) }),
  'unsupported-media-type': ({ extra }): Record<string, string> =>
    extra['accept_encoding'] === undefined ? {} : { 'accept-encoding': String(extra['accept_encoding']) },
  'idempotency-in-flight': retryAfterHeader,
  'rate-limited': retryAfterHeader,
  'quota-exceeded': retryAfterHeader,
  'download-cap': retryAfterHeader,
  'bandwidth-breaker': retryAfterHeader,
}

/** The problem of a method that a path does not have (RFC 9110 15.5.6). */
export const createMethodProblem = (method: string, path: string, allowed: readonly string[]): Problem =>
  new Problem('method-not-allowed', `${path} is called by ${allowed.join(', ')}, not by ${method}.`, {
    allowed: allowed.join(', '),
  })

function retryAfterHeader(problem: Problem): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(Number(problem.extra['retry_after_s'] ?? 1)))) }
}

/** Such as when to try again. */
export function buildProblemHeaders(
  problem: Problem,
  { server, request: { headers } }: FastifyReply,
  baseUrl: string,
): Record<string, string> {
  if (problem.problem !== 'unavailable') {
    const hasCredentials = headers.authorization !== undefined || headers['x-api-key'] !== undefined
    return headersByProblem[problem.problem]?.(problem, { baseUrl, hasCredentials }) ?? {}
  }
  return { 'retry-after': String(problem.extra['retry_after_s'] ?? server.outageRetryAfter.retryAfter_s()) }
}

type OutageMapping = readonly [applies: (error: unknown) => boolean, problem: ProblemName, sentence: string]

/** Outages and exhausted resources, each with the problem that the caller gets. */
const outageMappings: readonly OutageMapping[] = [
  [isDiskFullError, 'unavailable', 'The disk of the platform is full. Nothing can be written until space is freed.'],
  [isDatabaseOutage, 'unavailable', 'The database cannot be reached. Try again later.'],
  [isTransactionConflict, 'unavailable', 'Another call changed the same rows at the same time. Try again.'],
  [
    isSearchTimeout,
    'budget-exceeded',
    'The search exceeded its time limit. Narrow it by `collections`, `datetime` or `bbox`, or simplify its filter and sort order.',
  ],
  [
    (error) => error instanceof SearchCooldownFailure,
    'rate-limited',
    'Recent searches of your organization were slow and the database is busy. Try again later, or simplify the filter.',
  ],
  [
    isStatementTimeout,
    'unavailable',
    'A database statement exceeded its time limit. Request less data, or try again later.',
  ],
  [
    (error) => error instanceof BlobStoreUnavailable,
    'unavailable',
    'The file storage cannot be reached. Try again later.',
  ],
]

/** The outage behind an error, also if it is the cause of another error (as with imagery readers). */
function findOutage(error: unknown, depth = 0): Problem | null {
  const mapping = outageMappings.find(([applies]) => applies(error))
  const extra = error instanceof SearchCooldownFailure ? { retry_after_s: error.retry_after_s } : {}
  if (mapping) return Object.assign(new Problem(mapping[1], mapping[2], extra), { cause: error })
  return error instanceof Error && error.cause !== undefined && depth < 5 ? findOutage(error.cause, depth + 1) : null
}

/** Converts Fastify errors and outages to problems; null for internal errors. */
function toProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (status === 413) return new Problem('too-large', 'The body is too large.')
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new Problem('malformed', 'The request cannot be read.')
  }
  return findOutage(error)
}

/** The problem that answers any error, logged. An internal error is logged in full and answered as a trace id only. */
export function logErrorAsProblem(request: FastifyRequest, error: unknown): Problem {
  const problemOrOutage = toProblem(error)
  // The cause of an outage is logged and not sent to the caller.
  const cause = problemOrOutage ? problemOrOutage.cause : error
  if (cause) request.callLog?.set({ fault: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) })
  const problem = problemOrOutage ?? new Problem('internal', 'An internal error occurred.')
  request.callLog?.set({ problem: problem.problem, reason: problem.message })
  return problem
}

/** Sends any error as `application/problem+json`, or as its route says. */
export function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  error: unknown,
  baseUrl: string,
): FastifyReply {
  const problem = logErrorAsProblem(request, error)
  const { hasTextDetail = false, hasJsonProblems = false } = request.routeOptions.config
  const inputSource = request.method === 'GET' || request.method === 'HEAD' ? 'query' : 'body'
  const document = toProblemDocument(problem, baseUrl, request.id, inputSource)
  return reply
    .code(problem.status)
    .headers(buildProblemHeaders(problem, reply, baseUrl))
    .header('cache-control', 'no-store')
    .type(hasJsonProblems ? chooseProblemMediaType(request.headers) : 'application/problem+json')
    .send(JSON.stringify(hasTextDetail ? { ...document, detail: problem.message } : document))
}
