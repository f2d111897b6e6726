// Generated from the contract by `npm run generate`; do not edit.
import type { RequiredEula } from '../operations.ts'
import type { ProblemConstructor } from '../problem.ts'
import { ProblemError } from './problem-error.ts'

/** 400 `malformed`: The body is not valid JSON, or a header or the URL cannot be parsed. */
export class MalformedError extends ProblemError {}

/** 400 `conflicting-parameters`: Two parameters exclude each other, such as `bbox` with `intersects`. */
export class ConflictingParametersError extends ProblemError {}

/** 400 `invalid-parameter`: A parameter or an input of a route of STAC or OGC API - Processes is not valid; `errors` and `detail` name it. Other routes answer `validation` instead. */
export class InvalidParameterError extends ProblemError {}

/** 400 `unsupported-filter`: The filter language, or a conformance class of it, is not supported. */
export class UnsupportedFilterError extends ProblemError {}

/** 401 `unauthenticated`: The token is missing, expired, revoked or was not issued by this platform. */
export class UnauthenticatedError extends ProblemError {}

/** 402 `insufficient-credits`: Fewer credits are available than the call would hold. Top up and retry. */
export class InsufficientCreditsError extends ProblemError {
  /** What the call would hold. */
  declare readonly required_credits?: number
  /** What the organization has. */
  declare readonly available_credits?: number
}

/** 402 `payment-declined`: The card was declined, or there is no card to charge. */
export class PaymentDeclinedError extends ProblemError {
  /** The reason in the words of the payment processor. */
  declare readonly decline_code?: string | null
}

/** 402 `payment-action-required`: The card requires 3-D Secure. Complete the challenge with `client_secret`, then retry with the same `Idempotency-Key`. */
export class PaymentActionRequiredError extends ProblemError {
  /** Completes the 3-D Secure challenge with the payment processor. */
  declare readonly client_secret?: string
  /** The payment at the processor. */
  declare readonly payment_intent_id?: string
  /** The page of the challenge, if there is one. */
  declare readonly challenge_url?: string | null
}

/** 402 `past-due`: The organization has an overdue payment or is suspended. Pay it, or contact the operator of the platform. */
export class PastDueError extends ProblemError {
  /** When the payment was due. */
  declare readonly past_due_since?: string
}

/** 402 `quota-storage`: The request would exceed the storage quota of the plan. */
export class QuotaStorageError extends ProblemError {}

/** 403 `insufficient-scope`: The principal lacks the scope that the operation requires. */
export class InsufficientScopeError extends ProblemError {
  /** The scope that the token or the key lacks. */
  declare readonly required_scope?: string
}

/** 403 `not-a-member`: The resource belongs to your organization, but you are not a member of its project or your role in it does not permit this. */
export class NotAMemberError extends ProblemError {}

/** 403 `no-organization`: The operation requires an organization, and the principal belongs to none. */
export class NoOrganizationError extends ProblemError {}

/** 403 `spend-limit-exceeded`: The call would exceed its own `max_credits`, the per-order limit or the rolling 30-day limit of the member. Nothing is held. */
export class SpendLimitExceededError extends ProblemError {
  /** The limit, in credits. */
  declare readonly limit?: number
  /** Credits that count towards the limit now. */
  declare readonly window_used?: number
  /** Credits of the call; null for a setting that would spend repeatedly. */
  declare readonly requested?: number | null
  /** When the limit allows the call, if nothing else is spent. */
  declare readonly frees_at?: string | null
}

/** 403 `user-required`: Only a signed-in user may call this operation: no API key and, for the account itself, no program and no token of the user. */
export class UserRequiredError extends ProblemError {}

/** 403 `forbidden`: The role does not permit this, the resource is read-only, or the share password is wrong. */
export class ForbiddenError extends ProblemError {}

/** 404 `not-found`: No resource with this id is visible to the caller. */
export class NotFoundError extends ProblemError {}

/** 404 `unknown-operation`: No operation has this id or URL. */
export class UnknownOperationError extends ProblemError {}

/** 405 `method-not-allowed`: The URL exists, and is called by another method; the header `Allow` lists them. */
export class MethodNotAllowedError extends ProblemError {
  /** The methods of the URL, as in `Allow`. */
  declare readonly allowed?: string
}

/** 409 `idempotency-conflict`: The key was already used with a different request body. */
export class IdempotencyConflictError extends ProblemError {}

/** 409 `idempotency-in-flight`: The first request with this key is still in progress. Retry after the time in `Retry-After`. */
export class IdempotencyInFlightError extends ProblemError {
  /** Seconds until the call may succeed, as in `Retry-After`. */
  declare readonly retry_after_s?: number
}

/** 409 `invalid-state`: The resource is in a state that does not allow this. */
export class InvalidStateError extends ProblemError {
  /** How many things of the resource are still open. */
  declare readonly open?: number
  /** How many jobs read the resource. */
  declare readonly readers?: number
  /** What can still be refunded. */
  declare readonly refundable_credits?: number
}

/** 409 `already-decided`: The decision has already been made. */
export class AlreadyDecidedError extends ProblemError {}

/** 409 `name-taken`: Another resource of the same kind already has this name. */
export class NameTakenError extends ProblemError {}

/** 409 `eula-not-accepted`: The organization has not accepted the current version of a licence agreement of the product; `eulas` has the ids. Accept it with `eulas.document.accept`, then retry. */
export class EulaNotAcceptedError extends ProblemError {
  /** The agreements that have to be accepted. */
  declare readonly eulas?: RequiredEula[]
}

/** 409 `stac-id-taken`: Another item of the collection already has this `stac_id`. */
export class StacIdTakenError extends ProblemError {}

/** 410 `gone-retention`: The item is past its retention window. */
export class GoneRetentionError extends ProblemError {}

/** 410 `gone-expired`: The link, URL or approval has expired or was revoked. */
export class GoneExpiredError extends ProblemError {}

/** 410 `quote-expired`: The price lock has expired. Request a new quote. */
export class QuoteExpiredError extends ProblemError {}

/** 412 `precondition-failed`: The resource has changed since the caller read it: its `ETag` matches none in `If-Match`. Read it again. */
export class PreconditionFailedError extends ProblemError {
  /** The present `ETag`. */
  declare readonly etag?: string
}

/** 413 `too-large`: The body is larger than the operation accepts. */
export class TooLargeError extends ProblemError {}

/** 415 `unsupported-media-type`: The body is not JSON by its `Content-Type`, or has a `Content-Encoding` that is not read; `Accept-Encoding` lists those that are. */
export class UnsupportedMediaTypeError extends ProblemError {
  /** The encodings that are read, as in `Accept-Encoding`. */
  declare readonly accept_encoding?: string
}

/** 422 `validation`: The input is not valid for the operation; `errors` and `detail` name the fields. */
export class ValidationError extends ProblemError {}

/** 422 `budget-exceeded`: The request asks for more pixels, bytes or time than one request may use. */
export class BudgetExceededError extends ProblemError {}

/** 422 `unsupported-raster`: The file is not a raster in a supported format, or a part of it is damaged. */
export class UnsupportedRasterError extends ProblemError {}

/** 422 `unsupported-vector`: The item or asset has no vector features; an image, for example, has none. */
export class UnsupportedVectorError extends ProblemError {}

/** 429 `rate-limited`: Too many requests. Retry after the time in `Retry-After`. */
export class RateLimitedError extends ProblemError {
  /** Seconds until the call may succeed, as in `Retry-After`. */
  declare readonly retry_after_s?: number
  /** The policies of `RateLimit-Policy` that refused it. */
  declare readonly 'violated-policies'?: string[]
}

/** 429 `quota-exceeded`: A rate-limit quota is used up. Retry after the time in `Retry-After`. */
export class QuotaExceededError extends ProblemError {
  /** Seconds until the call may succeed, as in `Retry-After`. */
  declare readonly retry_after_s?: number
}

/** 429 `download-cap`: The asset has reached its limit of downloads per day. */
export class DownloadCapError extends ProblemError {
  /** Seconds until the call may succeed, as in `Retry-After`. */
  declare readonly retry_after_s?: number
}

/** 429 `bandwidth-breaker`: The organization has reached its limit of bytes sent per day. */
export class BandwidthBreakerError extends ProblemError {
  /** Seconds until the call may succeed, as in `Retry-After`. */
  declare readonly retry_after_s?: number
  /** Bytes that may be sent per day. */
  declare readonly limit_bytes?: number
  /** Bytes that were sent today. */
  declare readonly sent_bytes?: number
}

/** 500 `internal`: An unexpected error in the platform; the `trace_id` identifies it in the log. */
export class InternalError extends ProblemError {}

/** 502 `upstream`: An external host failed or returned an invalid response. */
export class UpstreamError extends ProblemError {}

/** 503 `unavailable`: The platform is starting, stopping or has lost its database. Retry soon. */
export class UnavailableError extends ProblemError {
  /** Seconds until the call may succeed, as in `Retry-After`. */
  declare readonly retry_after_s?: number
}

/** The class of each problem of the platform. */
export const problemClasses: Readonly<Record<string, ProblemConstructor>> = {
  malformed: MalformedError,
  'conflicting-parameters': ConflictingParametersError,
  'invalid-parameter': InvalidParameterError,
  'unsupported-filter': UnsupportedFilterError,
  unauthenticated: UnauthenticatedError,
  'insufficient-credits': InsufficientCreditsError,
  'payment-declined': PaymentDeclinedError,
  'payment-action-required': PaymentActionRequiredError,
  'past-due': PastDueError,
  'quota-storage': QuotaStorageError,
  'insufficient-scope': InsufficientScopeError,
  'not-a-member': NotAMemberError,
  'no-organization': NoOrganizationError,
  'spend-limit-exceeded': SpendLimitExceededError,
  'user-required': UserRequiredError,
  forbidden: ForbiddenError,
  'not-found': NotFoundError,
  'unknown-operation': UnknownOperationError,
  'method-not-allowed': MethodNotAllowedError,
  'idempotency-conflict': IdempotencyConflictError,
  'idempotency-in-flight': IdempotencyInFlightError,
  'invalid-state': InvalidStateError,
  'already-decided': AlreadyDecidedError,
  'name-taken': NameTakenError,
  'eula-not-accepted': EulaNotAcceptedError,
  'stac-id-taken': StacIdTakenError,
  'gone-retention': GoneRetentionError,
  'gone-expired': GoneExpiredError,
  'quote-expired': QuoteExpiredError,
  'precondition-failed': PreconditionFailedError,
  'too-large': TooLargeError,
  'unsupported-media-type': UnsupportedMediaTypeError,
  validation: ValidationError,
  'budget-exceeded': BudgetExceededError,
  'unsupported-raster': UnsupportedRasterError,
  'unsupported-vector': UnsupportedVectorError,
  'rate-limited': RateLimitedError,
  'quota-exceeded': QuotaExceededError,
  'download-cap': DownloadCapError,
  'bandwidth-breaker': BandwidthBreakerError,
  internal: InternalError,
  upstream: UpstreamError,
  unavailable: UnavailableError,
}
