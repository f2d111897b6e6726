export interface SafeFetchOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** A `Range` of GET is enforced: a response other than that range is a failure. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** The timeout of the whole fetch, including redirects. */
  readonly timeout_ms?: number
  readonly limit_bytes?: number
  /** The handling of a body beyond the limit: a failure (the default), or truncation. */
  readonly beyond_limit?: 'refuse' | 'cut'
  /**
   * The maximum number of redirects of GET and HEAD, each validated like the first URL; default 3. Others are never
   * redirected.
   */
  readonly redirects?: number
  /** The timeout of resolving and connecting, within `timeout_ms`; default: only that of the whole fetch applies. */
  readonly connect_timeout_ms?: number
  /** True for callers that limit their requests to a host themselves; others wait for one of 32 connections. */
  readonly unlimited_connections?: boolean
  /** Returns the received part of a body that ends early or takes too long: for callers who need the status only. */
  readonly accepts_partial_body?: boolean
  readonly signal?: AbortSignal
}

export interface SafeFetchResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The URL of the response after redirects. */
  readonly url: string
}

/** Every failure is a `SafeFetchFailure`; a response with an error status is not a failure. */
export type SafeFetch = (url: string, options?: SafeFetchOptions) => Promise<SafeFetchResponse>

/** Throws a `SafeFetchFailure` unless the URL may be fetched and its name resolves to public addresses only. */
export type CheckRemoteUrl = (url: string) => Promise<void>

/** True for a URL that others must not be sent to, since its host is internal; false for text that is not a URL. */
export type IsInternalUrl = (url: string) => boolean
