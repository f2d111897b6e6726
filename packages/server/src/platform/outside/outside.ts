import type { ImageryHost } from './imagery-host.ts'
import type { Payments } from './payments/payments.ts'

/** Everything beyond the house, in one place: tests and tools hand in their own. */
export interface Outside {
  /** Fetches from public addresses only; bounded time and bytes; follows no redirect to a private place. */
  readonly fetch: SafeFetch
  /** Other people's catalogues by host name. */
  readonly hosts: ReadonlyMap<string, ImageryHost>
  /** The company that moves money between cards and us. */
  readonly payments: Payments
}

export interface SafeFetchOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  /** A `Range` of GET is held to: another answer than that range is a failure. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** For everything together, redirects included. */
  readonly timeout_ms?: number
  readonly limit_bytes?: number
  /** What happens to a body beyond the limit: a failure (the default), or its beginning is answered. */
  readonly beyond_limit?: 'refuse' | 'cut'
  /** How many redirects of GET and HEAD are followed, each checked like the first address; default 3. POST never follows. */
  readonly redirects?: number
  readonly signal?: AbortSignal
}

export interface SafeResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Where the answer came from after redirects. */
  readonly url: string
}

/** Every failure is an `OutsideFailure`; an answer of any status is none. */
export type SafeFetch = (url: string, options?: SafeFetchOptions) => Promise<SafeResponse>

/**
 * `address`, `scheme`, `port` and `redirect`: we do not go there. `name`, `connection`, `timeout`: it does not answer.
 * `too-large` and `range`: it answers more, or something else, than was asked for.
 */
export type OutsideFailureKind =
  | 'address'
  | 'scheme'
  | 'port'
  | 'redirect'
  | 'name'
  | 'connection'
  | 'timeout'
  | 'too-large'
  | 'range'

/** An outside address could not be fetched. The message is a sentence for the caller and tells nothing of our network. */
export class OutsideFailure extends Error {
  readonly kind: OutsideFailureKind
  constructor(kind: OutsideFailureKind, message: string) {
    super(message)
    this.name = 'OutsideFailure'
    this.kind = kind
  }
}
