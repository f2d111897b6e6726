import type { Operation } from '@swath/contract/operation.ts'
import type { UrlTokenKind } from '@swath/contract/routes.ts'
import type { CallAudit } from '../call-audit.ts'
import type { RateLimitReporter } from './call-limits.ts'
import type { CallLogRecord } from '../call-log.ts'
import type { IdempotencyClaim } from '../idempotency.ts'
import type { TracedRequest } from './trace-call.ts'

/** A token in the URL of a route for clients that cannot send headers, and the kind that the route accepts. */
export interface UrlToken {
  readonly kind: UrlTokenKind
  readonly text: string
}

export interface CallCredentials {
  readonly authorization: string | null
  readonly apiKey: string | null
  /** A token in the URL; only routes that accept one pass it, and a header takes precedence. */
  readonly urlToken?: UrlToken | null
  /** The client's IPv4 address, or the /64 block of its IPv6 address: what failures are counted by. */
  readonly address: string
}

/** One call as an HTTP route passes it to the pipeline. */
export interface CallRequest extends RateLimitReporter, TracedRequest {
  readonly operation: string
  readonly credentials: CallCredentials
  /** Called only after authentication and rate limits; throws `too-large` or `malformed`. */
  readBody(operation: Operation): Promise<unknown>
  /** The source of the input; validation errors name it. */
  readonly inputSource: 'body' | 'query'
  readonly idempotencyKey: string | null
  /** The `If-None-Match` header. */
  readonly ifNoneMatch?: string | null
  /** The `Last-Event-ID` header. */
  readonly lastEventId?: string | null
  /** The format of images for callers that accept any. */
  readonly preferredImageFormat?: 'png' | 'jpeg' | null
  readonly baseUrl: string
  readonly requestId: string
  /** The key by which rate limits count anonymous calls (see `CallCredentials.address`). */
  readonly rateLimitKey: string
  /** The IP address of the client, for the audit trail. */
  readonly clientAddress?: string
  readonly signal: AbortSignal
  readonly log: CallLogRecord
  /** Marks the response as one about play money. */
  markPlayMoney?(): void
  /** Reserves memory for bytes of the response before they are read; throws `rate-limited`. */
  reserveResponseBytes?(bytes: number): void
}

/** The records of a call beside its change: recovery points of its idempotency key, and its row in the audit trail. */
export interface CallRecords {
  readonly claim: IdempotencyClaim | null
  /** Null for a read. */
  readonly audit: CallAudit | null
}
