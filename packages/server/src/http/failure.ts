import type { ProblemName } from '@swath/contract/problems.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problemDocument } from '../engine/problem.ts'
import { BlobsUnavailable } from '../platform/blobs/blobs.ts'
import {
  isDatabaseOutage,
  isFullDisk,
  isSearchTimeout,
  isStatementTimeout,
  SearchCooldown,
} from '../platform/database/failures.ts'

/** Headers that go with a problem, by its name. */
const headersOf: Partial<Record<string, (problem: Problem) => Record<string, string>>> = {
  unauthenticated: () => ({ 'www-authenticate': 'Bearer' }),
  'insufficient-scope': (problem) => ({
    'www-authenticate': `Bearer error="insufficient_scope", scope="${String(problem.extra['required_scope'] ?? '')}"`,
  }),
  'idempotency-in-flight': retryAfter,
  'rate-limited': retryAfter,
  'quota-exceeded': retryAfter,
  'download-cap': retryAfter,
  'bandwidth-breaker': retryAfter,
}

function retryAfter(problem: Problem): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(Number(problem.extra['retry_after_s'] ?? 1)))) }
}

function headersFor(problem: Problem, { server }: FastifyReply): Record<string, string> {
  if (problem.problem !== 'unavailable') return headersOf[problem.problem]?.(problem) ?? {}
  return { 'retry-after': String(problem.extra['retry_after_s'] ?? server.outageAdvice.retryAfter_s()) }
}

type Row = readonly [applies: (error: unknown) => boolean, problem: ProblemName, sentence: string]

/** What the house stands on and may lose or exhaust, each with what the caller is told. */
const outages: readonly Row[] = [
  [isFullDisk, 'unavailable', 'The disk of the platform is full: nothing can be written until there is room.'],
  [isDatabaseOutage, 'unavailable', 'The database cannot be reached now. Try again soon.'],
  [
    isSearchTimeout,
    'budget-exceeded',
    'The search took longer than one search may. Narrow it by `collections`, `datetime` or `bbox`, or ask less of each item in its filter and order.',
  ],
  [
    (error) => error instanceof SearchCooldown,
    'rate-limited',
    'Searches of your organization took long, and others use the database. Try again later, or ask less of each item.',
  ],
  [isStatementTimeout, 'unavailable', 'The database took longer than one call may. Ask for less, or try again later.'],
  [
    (error) => error instanceof BlobsUnavailable,
    'unavailable',
    'The store of files cannot be reached now. Try again soon.',
  ],
]

/** An outage, also where another failure was made of it on the way (a reader of imagery does). */
function outageOf(error: unknown, depth = 0): Problem | null {
  const row = outages.find(([applies]) => applies(error))
  const extra = error instanceof SearchCooldown ? { retry_after_s: error.retry_after_s } : {}
  if (row) return Object.assign(new Problem(row[1], row[2], extra), { cause: error })
  return error instanceof Error && error.cause !== undefined && depth < 5 ? outageOf(error.cause, depth + 1) : null
}

/** Fastify's own refusals and outages, said in our words. */
function translated(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (status === 413) return new Problem('too-large', 'The body is too large.')
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new Problem('malformed', 'The request cannot be read.')
  }
  return outageOf(error)
}

/** Answers any failure as `application/problem+json`. What is not a Problem is a fault of ours: logged whole, told by its trace id only. */
export function sendFailure(reply: FastifyReply, request: FastifyRequest, error: unknown, base: string): FastifyReply {
  const known = translated(error)
  // Behind an outage of somebody else stands what they said: for our log, not for the caller.
  const fault = known ? known.cause : error
  if (fault) request.seen?.set({ fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) })
  const problem = known ?? new Problem('internal', 'Something went wrong on our side.')
  const where = request.method === 'GET' || request.method === 'HEAD' ? 'query' : 'body'
  request.seen?.set({ problem: problem.problem, reason: problem.message })
  return reply
    .code(problem.status)
    .headers(headersFor(problem, reply))
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem, base, request.id, where)))
}
