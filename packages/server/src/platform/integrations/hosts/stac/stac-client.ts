import { setTimeout as wait } from 'node:timers/promises'
import { monotonic_ms } from '../../../clock.ts'
import { SafeFetchFailure, type SafeFetch, type SafeResponse } from '../../integrations.ts'
import type { SignRequest } from './signing.ts'

export interface StacRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests JSON from one STAC API. */
export interface StacClient {
  /** The parsed body of a response with status 200. Throws `StacApiError`, or what the fetch throws. */
  request(request: StacRequest, signal?: AbortSignal): Promise<unknown>
}

/** The API returned an error, or something other than JSON. */
export class StacApiError extends Error {
  /** Of the HTTP response. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface StacClientOptions {
  readonly fetch: SafeFetch
  readonly sign: SignRequest
  readonly max_response_bytes: number
  readonly request_timeout_ms: number
  /** Of the first retry; doubled for each further one. */
  readonly backoff_ms: number
}

const max_attempts = 3
/** An API that asks for a longer pause is reported as unavailable instead. */
const max_pause_ms = 10_000
const retried_statuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
const retried_failures: ReadonlySet<string> = new Set(['connection', 'timeout'])

export function createStacClient(options: StacClientOptions): StacClient {
  return {
    async request(request, signal) {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await send(request, options, signal)
        if ('json' in outcome) return outcome.json
        signal?.throwIfAborted()
        const pause_ms = Math.max(outcome.retry_after_ms ?? 0, options.backoff_ms * 2 ** (attempt - 1))
        if (!outcome.isRetryable || attempt === max_attempts || pause_ms > max_pause_ms) throw outcome.error
        await wait(pause_ms, undefined, signal ? { signal } : {})
      }
    },
  }
}

type Outcome =
  | { readonly json: unknown }
  | { readonly error: unknown; readonly isRetryable: boolean; readonly retry_after_ms: number | null }

async function send(request: StacRequest, options: StacClientOptions, signal?: AbortSignal): Promise<Outcome> {
  const { fetch, sign, max_response_bytes: limit_bytes, request_timeout_ms: timeout_ms } = options
  try {
    const { url, headers } = await sign({ url: request.url, headers: { ...request.headers, ...content(request) } })
    const response = await fetch(url, {
      method: request.method,
      headers,
      ...(request.body ? { body: JSON.stringify(request.body) } : {}),
      timeout_ms,
      limit_bytes,
      ...(signal ? { signal } : {}),
    })
    return readResponse(response)
  } catch (error) {
    const isRetryable = error instanceof SafeFetchFailure && retried_failures.has(error.kind)
    return { error, isRetryable, retry_after_ms: null }
  }
}

const content = ({ body }: StacRequest): Record<string, string> => ({
  accept: 'application/geo+json, application/json',
  ...(body ? { 'content-type': 'application/json' } : {}),
})

function readResponse({ status, headers, body }: SafeResponse): Outcome {
  if (status !== 200) {
    const error = new StacApiError(status, `the catalogue returned the status ${status}`)
    return { error, isRetryable: retried_statuses.has(status), retry_after_ms: readRetryAfter(headers) }
  }
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown }
  } catch {
    const error = new StacApiError(status, 'the catalogue returned something other than JSON')
    return { error, isRetryable: false, retry_after_ms: null }
  }
}

/** `Retry-After` in seconds, or as a time compared with the `Date` of the response. */
export function readRetryAfter(headers: Readonly<Record<string, string>>): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000
  const pause_ms = Date.parse(text) - Date.parse(headers['date'] ?? '')
  return Number.isNaN(pause_ms) ? null : Math.max(0, pause_ms)
}

/** Remembers a failure for a while, so that a host that does not respond costs its timeout only once. */
export function createFailureMemory(duration_ms: number) {
  let failure: { readonly error: unknown; readonly until_ms: number } | null = null
  return {
    throwIfRecent: (): void => {
      if (failure && monotonic_ms() < failure.until_ms) throw failure.error
    },
    record: (error: unknown): void => {
      failure = { error, until_ms: monotonic_ms() + duration_ms }
    },
    clear: (): void => {
      failure = null
    },
  }
}
