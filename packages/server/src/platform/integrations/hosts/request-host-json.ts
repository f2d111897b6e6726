import { setTimeout as wait } from 'node:timers/promises'
import { monotonic_ms } from '../../clock.ts'
import { SafeFetchFailure, type SafeFetch, type SafeFetchOptions, type SafeFetchResponse } from '../integrations.ts'
import { asArray, asObject, asText } from './stac-item.ts'
import type { HostRequestSigner } from './signing.ts'

export interface JsonRequest {
  readonly method: NonNullable<SafeFetchOptions['method']>
  readonly url: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** False if a second request could have a second effect: it is never sent again. */
  readonly isRepeatable?: boolean
}

export interface JsonResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body; null for a status without a body. */
  readonly json: unknown
}

export interface JsonExchangeOptions {
  readonly fetch: SafeFetch
  readonly sign: HostRequestSigner
  readonly max_response_bytes: number
  readonly request_timeout_ms: number
  /** The pause before the first retry; doubled for each further one. */
  readonly backoff_ms: number
}

/** The API of a host returned an error, or something other than JSON. */
export class HostApiError extends Error {
  /** The status of the HTTP response. */
  readonly status: number
  /** The error message of the host, shortened; null if there is none. */
  readonly reason: string | null
  constructor(status: number, message: string, reason: string | null = null) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

const max_attempts = 3
/** An API that asks for a longer pause is reported as unavailable instead. */
const max_pause_ms = 10_000
const retried_statuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
const retried_failures: ReadonlySet<string> = new Set(['connection', 'timeout'])

/** Sends a request until it is answered by one of the statuses. Throws `HostApiError`, or what the fetch throws. */
export async function requestHostJson(
  request: JsonRequest,
  { options, statuses }: { readonly options: JsonExchangeOptions; readonly statuses: readonly number[] },
  signal?: AbortSignal,
): Promise<JsonResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(request, { options, statuses }, signal)
    if ('response' in outcome) return outcome.response
    signal?.throwIfAborted()
    const pause_ms = Math.max(outcome.retry_after_ms ?? 0, options.backoff_ms * 2 ** (attempt - 1))
    const isRetried = outcome.isRetryable && request.isRepeatable !== false
    if (!isRetried || attempt === max_attempts || pause_ms > max_pause_ms) throw outcome.error
    await wait(pause_ms, undefined, signal ? { signal } : {})
  }
}

type Outcome =
  | { readonly response: JsonResponse }
  | { readonly error: unknown; readonly isRetryable: boolean; readonly retry_after_ms: number | null }

async function send(
  request: JsonRequest,
  { options, statuses }: { readonly options: JsonExchangeOptions; readonly statuses: readonly number[] },
  signal?: AbortSignal,
): Promise<Outcome> {
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
    return readResponse(response, statuses)
  } catch (error) {
    const isRetryable = error instanceof SafeFetchFailure && retried_failures.has(error.kind)
    return { error, isRetryable, retry_after_ms: null }
  }
}

const content = ({ body }: JsonRequest): Record<string, string> => ({
  accept: 'application/geo+json, application/json',
  ...(body ? { 'content-type': 'application/json' } : {}),
})

function readResponse({ status, headers, body }: SafeFetchResponse, statuses: readonly number[]): Outcome {
  const json = status === 204 ? null : parseJson(body)
  if (!statuses.includes(status)) {
    const error = new HostApiError(status, `the catalogue returned the status ${status}`, findReason(json))
    return { error, isRetryable: retried_statuses.has(status), retry_after_ms: readRetryAfter(headers) }
  }
  if (json !== undefined) return { response: { status, headers, json } }
  const error = new HostApiError(status, 'the catalogue returned something other than JSON')
  return { error, isRetryable: false, retry_after_ms: null }
}

/** Undefined if the bytes are not JSON. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown
  } catch {
    return undefined
  }
}

const max_reason_length = 300

/** The sentence of an error document: `detail` as text or as a list of `{ msg }`, `description`, `message` or `title`. */
function findReason(json: unknown): string | null {
  const fields = asObject(json)
  const list = asArray(fields['detail']).flatMap((entry) => asText(asObject(entry)['msg']) ?? [])
  const texts = [fields['detail'], list.join('; '), fields['description'], fields['message'], fields['title']]
  const text = texts.map(asText).find((candidate) => candidate !== null)
  return text ? cleanText(text).slice(0, max_reason_length) : null
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const cleanText = (text: string): string => text.replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ').trim()

/** `Retry-After` in seconds, or as a time compared with the `Date` of the response. */
export function readRetryAfter(headers: Readonly<Record<string, string>>): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000
  const pause_ms = Date.parse(text) - Date.parse(headers['date'] ?? '')
  return Number.isNaN(pause_ms) ? null : Math.max(0, pause_ms)
}

/** Remembers a failure for a while, so that a host that does not respond costs its timeout only once. */
export function createFailureCache(duration_ms: number) {
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
