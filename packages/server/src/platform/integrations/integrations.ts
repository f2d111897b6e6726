import type { ImageryHost } from './imagery-host.ts'
import type { PaymentProcessor } from './payments/payments.ts'

/** All external services; tests and tools pass their own. */
export interface Integrations {
  /** Fetches from public addresses only, with limits on time and bytes; follows no redirect to a private address. */
  readonly fetch: SafeFetch
  /** Imagery hosts by host name. */
  readonly hosts: ReadonlyMap<string, ImageryHost>
  /** The payment processor. */
  readonly payments: PaymentProcessor
}

export interface SafeFetchOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  /** A `Range` of GET is enforced: a response other than that range is a failure. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** For the whole fetch, including redirects. */
  readonly timeout_ms?: number
  readonly limit_bytes?: number
  /** How a body beyond the limit is handled: as a failure (the default), or truncated. */
  readonly beyond_limit?: 'refuse' | 'cut'
  /**
   * The maximum number of redirects of GET and HEAD, each validated like the first URL; default 3. POST is never
   * redirected.
   */
  readonly redirects?: number
  readonly signal?: AbortSignal
}

export interface SafeResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The URL of the response after redirects. */
  readonly url: string
}

/** Every failure is a `SafeFetchFailure`; a response with an error status is not a failure. */
export type SafeFetch = (url: string, options?: SafeFetchOptions) => Promise<SafeResponse>

/**
 * `address`, `scheme`, `port` and `redirect`: the URL is not allowed. `name`, `connection`, `timeout`: the host cannot be
 * reached or does not respond. `too-large` and `range`: the response is not what was requested.
 */
export type SafeFetchFailureKind =
  | 'address'
  | 'scheme'
  | 'port'
  | 'redirect'
  | 'name'
  | 'connection'
  | 'timeout'
  | 'too-large'
  | 'range'

/**
 * A remote URL could not be fetched. The message is a sentence for the client and reveals nothing about the internal
 * network.
 */
export class SafeFetchFailure extends Error {
  readonly kind: SafeFetchFailureKind
  constructor(kind: SafeFetchFailureKind, message: string) {
    super(message)
    this.name = 'SafeFetchFailure'
    this.kind = kind
  }
}
