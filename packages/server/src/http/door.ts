import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '@swath/contract/operation.ts'
import type { RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import type { Observation } from '../engine/observe.ts'
import { perform, type CallRequest, type Credentials, type Outcome, type Steps } from '../engine/pipeline.ts'
import { blockOf } from './address-block.ts'
import { readBytes, readJson } from './read-body.ts'
import { holdBytes } from './response-budget.ts'
import { baseOf, bodyStream, goneSignal } from './server.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { sendAnswer } from './send-answer.ts'
import { textBody } from './send-text.ts'

/** What every route needs: the pipeline and the body limit. */
export interface Doors {
  readonly steps: Steps
  readonly baseUrl: string | null
  readonly body_limit_bytes: number
}

/** Reads the input of a call; invoked by the pipeline after authentication. */
export type InputReader = (operation: Operation) => Promise<unknown>

/** An HTTP request as the input of the pipeline. Values that few calls need are computed on demand. */
class DoorRequest implements CallRequest, Credentials {
  readonly operation: string
  readonly readBody: InputReader
  readonly tileToken: string | null
  private readonly doors: Doors
  private readonly request: FastifyRequest
  private readonly reply: FastifyReply
  private limits: readonly RateLimitState[] | null = null

  constructor(
    doors: Doors,
    request: FastifyRequest,
    reply: FastifyReply,
    operation: string,
    readBody: InputReader,
    tileToken: string | null,
  ) {
    this.operation = operation
    this.readBody = readBody
    this.tileToken = tileToken
    this.doors = doors
    this.request = request
    this.reply = reply
  }

  get credentials(): Credentials {
    return this
  }

  get authorization(): string | null {
    return this.request.headers.authorization ?? null
  }

  get apiKey(): string | null {
    return headerOf(this.request, 'x-api-key')
  }

  get address(): string {
    return this.origin
  }

  get origin(): string {
    return blockOf(this.request.ip)
  }

  get inputFrom(): 'body' | 'query' {
    return this.request.method === 'GET' || this.request.method === 'HEAD' ? 'query' : 'body'
  }

  get ifNoneMatch(): string | null {
    return headerOf(this.request, 'if-none-match')
  }

  get idempotencyKey(): string | null {
    return headerOf(this.request, 'idempotency-key')
  }

  get requestId(): string {
    return this.request.id
  }

  get baseUrl(): string {
    return baseOf(this.request, this.doors.baseUrl)
  }

  get signal(): AbortSignal {
    return goneSignal(this.request, this.reply)
  }

  reserve(bytes: number): void {
    holdBytes(this.request, this.reply, bytes, true)
  }

  get log(): Observation {
    return this.request.seen
  }

  tellLimits(states: readonly RateLimitState[]): void {
    this.limits = this.limits === null ? states : [...this.limits, ...states]
    rateLimitHeaders(this.reply, this.limits)
  }
}

/** Runs one request through the pipeline. */
export const enter = (
  doors: Doors,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  readBody: InputReader,
  tileToken: string | null = null,
): Promise<Outcome> => perform(doors.steps, new DoorRequest(doors, request, reply, operation, readBody, tileToken))

/** A request header; the first value if it was sent more than once. */
export const headerOf = (request: FastifyRequest, name: string): string | null => {
  const value = request.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** Reads the JSON body of a request, up to the limit of its operation and the configured limit. */
export async function bodyOf(
  doors: Doors,
  operation: Pick<Operation, 'body_limit_bytes'>,
  request: FastifyRequest,
): Promise<unknown> {
  const stream = bodyStream(request)
  if (!stream) return undefined
  const announced = request.headers['content-length']
  const limit_bytes = Math.min(doors.body_limit_bytes, operation.body_limit_bytes ?? Infinity)
  const bytes = await readBytes(stream, limit_bytes, announced === undefined ? null : Number(announced))
  return readJson(bytes)
}

const contentTypes = new Map<string, string>()

/** The Content-Type of a media type, always the same string object: Fastify and V8 look it up without comparing it. */
function contentTypeOf(media_type: string): string {
  const known = contentTypes.get(media_type) ?? `${media_type}; charset=utf-8`
  contentTypes.set(media_type, known)
  return known
}

/** True if a response may be rejected for lack of memory: only reads can be repeated without a second effect. */
export const mayRefuse = ({ operation }: Outcome): boolean => operation.effect === 'read'

/** Sends the result of a call unchanged. */
export function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.form === 'response') return sendAnswer(reply, outcome.answer)
  if (outcome.replayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(outcome.status)
    .type(outcome.media_type ?? contentTypeOf(outcome.operation.media_type))
    .send(textBody(reply, outcome.pieces ?? outcome.text ?? JSON.stringify(outcome.output), mayRefuse(outcome)))
}
