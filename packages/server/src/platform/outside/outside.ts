import type { ImageryHost } from './imagery-host.ts'

/** Everything beyond the house, in one place: tests and tools hand in their own. */
export interface Outside {
  /** Fetches from public addresses only; bounded time and bytes; follows no redirect to a private place. */
  readonly fetch: SafeFetch
  /** Other people's catalogues by host name. */
  readonly hosts: ReadonlyMap<string, ImageryHost>
}

export interface SafeFetchOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  readonly timeout_ms?: number
  readonly limit_bytes?: number
  readonly signal?: AbortSignal
}

export interface SafeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type SafeFetch = (url: string, options?: SafeFetchOptions) => Promise<SafeResponse>
