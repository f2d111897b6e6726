import { CallTimeoutError, ConnectionError } from './errors/connection-errors.ts'
import { sleep } from './sleep.ts'

/** What a hook is told of a request: never its headers, its body or its query, which may have secrets. */
export interface RequestInfo {
  /** The id of the operation; null for other requests. */
  readonly operation: string | null
  readonly method: string
  /** Without its query. */
  readonly url: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

export interface ResponseInfo extends RequestInfo {
  /** Null if there was no response. */
  readonly status: number | null
  /** Identifies the call in the log of the platform; null if there was no response. */
  readonly request_id: string | null
  readonly duration_ms: number
  /** Milliseconds until the next attempt; null if this was the last. */
  readonly retry_in_ms: number | null
}

export interface AttemptOptions {
  readonly signal?: AbortSignal
  /** How often a request may be repeated that is a read or has an idempotency key, or that a rate limit refused. */
  readonly maxRetries?: number
  /** Time limit of each attempt until the response is there, for JSON and bytes until it is read; default none. */
  readonly timeout_ms?: number
}

export interface TransportOptions extends Omit<AttemptOptions, 'signal'> {
  /** Default the `fetch` of the environment. */
  readonly fetch?: typeof globalThis.fetch
  /** No attempt begins later than this after the first one; default 5 minutes. */
  readonly retryBudget_ms?: number
  /** The header `traceparent` (W3C Trace Context) of each call, which all its attempts share. */
  readonly traceparent?: () => string | undefined
  readonly onRequest?: (request: RequestInfo) => void
  readonly onResponse?: (response: ResponseInfo) => void
}

/** How a request is sent. */
export interface RequestPlan extends AttemptOptions {
  readonly operation: string | null
  readonly isRead?: boolean
  /** The body is read as part of the attempt. */
  readonly isWhole?: boolean
}

/** Sends a request until it is answered or may not be repeated. Rejects with `ConnectionError` or `CallTimeoutError`. */
export type Transport = (url: string, init: RequestInit & { headers: Headers }, plan: RequestPlan) => Promise<Response>

const default_retry_budget_ms = 300_000
const first_backoff_ms = 500
const max_backoff_ms = 20_000
/** A timer of more, some 25 days, ends at once. */
export const max_timer_ms = 2 ** 31 - 1

/** Creates what sends the requests of a client; without options each is sent once, without a time limit. */
export function createTransport(options: TransportOptions): Transport {
  const { retryBudget_ms = default_retry_budget_ms } = options
  return async (url, init, plan) => {
    const traceparent = options.traceparent?.()
    if (traceparent) init.headers.set('traceparent', traceparent)
    const end_ms = performance.now() + retryBudget_ms
    const maxRetries = plan.maxRetries ?? options.maxRetries ?? 0
    for (let attempt = 1; ; attempt++) {
      const info = { operation: plan.operation, method: init.method ?? 'GET', url: url.split('?', 1)[0]!, attempt }
      options.onRequest?.(info)
      const started_ms = performance.now()
      const outcome = await attemptOnce(options, url, init, plan).catch((error: unknown) => ({ error }))
      const wait_ms = attempt > maxRetries ? null : chooseWait(outcome, init, plan, attempt)
      const retry_in_ms = wait_ms !== null && performance.now() + wait_ms < end_ms ? wait_ms : null
      const response = outcome instanceof Response ? outcome : null
      options.onResponse?.({
        ...info,
        status: response?.status ?? null,
        request_id: response?.headers.get('x-request-id') ?? null,
        duration_ms: performance.now() - started_ms,
        retry_in_ms,
      })
      if (retry_in_ms === null) {
        if (response) return response
        throw (outcome as { readonly error: unknown }).error
      }
      // The connection is free for the next attempt.
      await response?.body?.cancel()
      await sleep(retry_in_ms, plan.signal ?? init.signal)
    }
  }
}

async function attemptOnce(
  options: TransportOptions,
  url: string,
  init: RequestInit,
  plan: RequestPlan,
): Promise<Response> {
  const send = options.fetch ?? fetch
  const timeout_ms = plan.timeout_ms ?? options.timeout_ms
  const caller = plan.signal ?? init.signal ?? null
  const limit = new AbortController()
  const timer =
    timeout_ms === undefined || timeout_ms > max_timer_ms ? undefined : setTimeout(() => limit.abort(), timeout_ms)
  const signal = timer === undefined ? caller : caller ? AbortSignal.any([caller, limit.signal]) : limit.signal
  try {
    const response = await send(url, signal ? { ...init, signal } : init)
    const isBuffered = plan.isWhole && (timer !== undefined || (plan.maxRetries ?? options.maxRetries))
    return isBuffered && response.body ? new Response(await response.arrayBuffer(), response) : response
  } catch (error) {
    if (caller?.aborted) throw error
    if (limit.signal.aborted) throw new CallTimeoutError(timeout_ms!)
    throw error instanceof TypeError ? new ConnectionError(url, error) : error
  } finally {
    clearTimeout(timer)
  }
}

/** Statuses after which a call that may be repeated is sent again. */
export const temporary_statuses: readonly number[] = [408, 429, 500, 502, 503, 504]

/** Milliseconds until the request may be sent again; null if it may not. */
function chooseWait(
  outcome: Response | { readonly error: unknown },
  { method = 'GET', headers, body }: RequestInit & { headers: Headers },
  { isRead = method === 'GET' || method === 'HEAD' }: RequestPlan,
  attempt: number,
): number | null {
  if (typeof ReadableStream !== 'undefined' && body instanceof ReadableStream) return null
  const hasKey = headers.has('idempotency-key')
  const backoff_ms = Math.random() * Math.min(max_backoff_ms, first_backoff_ms * 2 ** attempt)
  if (!(outcome instanceof Response)) {
    const isTemporary = outcome.error instanceof ConnectionError || outcome.error instanceof CallTimeoutError
    return isTemporary && (isRead || hasKey) ? backoff_ms : null
  }
  const { status } = outcome
  const asked_ms = readRetryAfter_ms(outcome.headers)
  // Another call with the key is in progress: 409 with Retry-After. What a rate limit refuses has had no effect.
  const isTemporary = temporary_statuses.includes(status) || (status === 409 && hasKey && asked_ms !== null)
  if (!isTemporary || !(isRead || hasKey || status === 429)) return null
  return asked_ms === null ? backoff_ms : asked_ms + Math.random() * first_backoff_ms
}

/** The wait that the platform asks for: `Retry-After`, or the reset of a rate limit that is used up; null without them. */
function readRetryAfter_ms(headers: Headers): number | null {
  const retryAfter = headers.get('retry-after')
  if (retryAfter !== null) {
    const wait_ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
    return Number.isFinite(wait_ms) ? Math.max(0, wait_ms) : null
  }
  const [, reset_s] = /;r=0;t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  return reset_s === undefined ? null : Number(reset_s) * 1000
}
