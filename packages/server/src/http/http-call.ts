import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '@swath/contract/operation.ts'
import type { RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import type { CallLogRecord } from '../engine/call-log.ts'
import type { CallCredentials, CallRequest, UrlToken } from '../engine/pipeline/call-request.ts'
import type { CallResult } from '../engine/pipeline/call-result.ts'
import { executeCall } from '../engine/pipeline.ts'
import type { CallPipelineDependencies } from '../engine/pipeline/state.ts'
import { toIpAddressBlock } from './address-block.ts'
import { Problem } from '../engine/problem.ts'
import { decodeBody, toCodingProblem } from './bodies/decode-body.ts'
import { drainBody } from './bodies/drain-body.ts'
import { readBodyBytes, parseJsonBody } from './bodies/read-body.ts'
import { reserveResponseBytes } from './response-budget.ts'
import { playMoneyHeader, resolveBaseUrl, getBodyStream, createDisconnectSignal } from './server.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'
import { sendResponse } from './send-response.ts'
import { toTextBody } from './send-text.ts'

/** The dependencies of every route: the pipeline and the body limit. */
export interface HttpRouteContext {
  readonly pipeline: CallPipelineDependencies
  readonly baseUrl: string | null
  readonly body_limit_bytes: number
}

/** Reads the input of a call; invoked by the pipeline after authentication. */
export type ReadCallBody = (operation: Operation) => Promise<unknown>

/** An HTTP request as the input of the pipeline. Values that few calls need are computed on demand. */
class HttpCallRequest implements CallRequest, CallCredentials {
  readonly operation: string
  readonly readBody: ReadCallBody
  readonly urlToken: UrlToken | null
  private readonly http: HttpRouteContext
  private readonly request: FastifyRequest
  private readonly reply: FastifyReply
  private rateLimits: readonly RateLimitState[] | null = null

  // oxlint-disable-next-line max-params -- made in each call: no object for it
  constructor(
    http: HttpRouteContext,
    request: FastifyRequest,
    reply: FastifyReply,
    operation: string,
    readBody: ReadCallBody,
    urlToken: UrlToken | null,
  ) {
    this.operation = operation
    this.readBody = readBody
    this.urlToken = urlToken
    this.http = http
    this.request = request
    this.reply = reply
  }

  get credentials(): CallCredentials {
    return this
  }

  get authorization(): string | null {
    return this.request.headers.authorization ?? null
  }

  get apiKey(): string | null {
    return getRequestHeader(this.request, 'x-api-key')
  }

  get address(): string {
    return this.rateLimitKey
  }

  get rateLimitKey(): string {
    return toIpAddressBlock(this.request.ip)
  }

  get clientAddress(): string {
    return this.request.ip
  }

  get inputSource(): 'body' | 'query' {
    return this.request.method === 'GET' || this.request.method === 'HEAD' ? 'query' : 'body'
  }

  get ifNoneMatch(): string | null {
    return getRequestHeader(this.request, 'if-none-match')
  }

  get lastEventId(): string | null {
    return getRequestHeader(this.request, 'last-event-id')
  }

  get preferredImageFormat(): 'png' | 'jpeg' | null {
    return acceptsAnything(this.request) ? (this.request.routeOptions.config.imageFormat ?? null) : null
  }

  get idempotencyKey(): string | null {
    return getRequestHeader(this.request, 'idempotency-key')
  }

  get traceparent(): string | null {
    return getRequestHeader(this.request, 'traceparent')
  }

  get requestId(): string {
    return this.request.id
  }

  get baseUrl(): string {
    return resolveBaseUrl(this.request, this.http.baseUrl)
  }

  get signal(): AbortSignal {
    return createDisconnectSignal(this.request, this.reply)
  }

  reserveResponseBytes(bytes: number): void {
    reserveResponseBytes(this.request, this.reply, bytes, true)
  }

  markPlayMoney(): void {
    this.reply.header(playMoneyHeader, 'true')
  }

  get log(): CallLogRecord {
    return this.request.callLog
  }

  reportRateLimits(states: readonly RateLimitState[]): void {
    this.rateLimits = this.rateLimits === null ? states : [...this.rateLimits, ...states]
    setRateLimitHeaders(this.reply, this.rateLimits)
  }
}

/** Runs one request through the pipeline. */
export const dispatchHttpCall = (
  http: HttpRouteContext,
  {
    request,
    reply,
    operation,
    readBody,
    urlToken = null,
  }: {
    readonly request: FastifyRequest
    readonly reply: FastifyReply
    readonly operation: string
    readonly readBody: ReadCallBody
    readonly urlToken?: UrlToken | null
  },
): Promise<CallResult> =>
  executeCall(http.pipeline, new HttpCallRequest(http, request, reply, operation, readBody, urlToken))

/** A request header; the first value if it was sent more than once. */
export const getRequestHeader = (request: FastifyRequest, name: string): string | null => {
  const value = request.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** True for a caller that names no media type. */
const acceptsAnything = ({ headers: { accept = '*/*' } }: FastifyRequest): boolean => accept === '*/*'

/** JSON, and the types that `curl` and `fetch` send unless they are told another, whatever is in the body. */
const readableTypes = /^(?:application\/(?:(?:[\w.-]+\+)?json|x-www-form-urlencoded)|text\/plain)(?:\s*;|\s*$)/i

/**
 * Reads the JSON body of a request, up to the limit of its operation and the configured limit. Throws `unsupported-media-type` for a
 * body of another type.
 */
export async function readJsonBody(
  http: Pick<HttpRouteContext, 'body_limit_bytes'>,
  operation: Pick<Operation, 'body_limit_bytes'>,
  request: FastifyRequest,
): Promise<unknown> {
  const stream = getBodyStream(request)
  if (!stream) return undefined
  const { 'content-length': content_length, 'content-type': type, 'content-encoding': coding } = request.headers
  if (type !== undefined && content_length !== '0' && !readableTypes.test(type)) {
    drainBody(stream)
    const message = `The body is ${type.slice(0, 100)}. Send JSON, with the header "Content-Type: application/json".`
    throw new Problem('unsupported-media-type', message)
  }
  const limit_bytes = Math.min(http.body_limit_bytes, operation.body_limit_bytes ?? Infinity)
  const decoded = decodeBody(stream, coding)
  const isDecoded = decoded !== stream
  const length = isDecoded || content_length === undefined ? null : Number(content_length)
  const discard = isDecoded ? () => decoded.destroy() : drainBody
  try {
    return parseJsonBody(await readBodyBytes(decoded, limit_bytes, length, discard))
  } catch (error) {
    throw toCodingProblem(error)
  }
}

const contentTypes = new Map<string, string>()

/** The Content-Type of a media type, always the same string object: Fastify and V8 look it up without comparing it. */
function contentTypeOf(media_type: string): string {
  const contentType = contentTypes.get(media_type) ?? `${media_type}; charset=utf-8`
  contentTypes.set(media_type, contentType)
  return contentType
}

/** True if a response may be rejected for lack of memory: only reads can be repeated without a second effect. */
export const canRefuseForMemory = ({ operation }: CallResult): boolean => operation.effect === 'read'

/** Sends the result of a call unchanged. */
export function sendCallResult(reply: FastifyReply, result: CallResult): FastifyReply {
  if (result.kind === 'response') return sendResponse(reply, result.response)
  if (result.replayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(result.status)
    .type(result.media_type ?? contentTypeOf(result.operation.media_type))
    .send(toTextBody(reply, result.text ?? JSON.stringify(result.output), canRefuseForMemory(result)))
}
