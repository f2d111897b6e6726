/** A problem type (RFC 9457); it has the same name in code and on the wire. */
export interface ProblemDefinition {
  readonly status: number
  readonly title: string
  /** The cause and the remedy; printed on the page that `type` links to. */
  readonly meaning: string
}

const defineProblem = (status: number, title: string, meaning: string): ProblemDefinition => ({
  status,
  title,
  meaning,
})

/** The closed list. `type` of a problem document is `{base}/problems/<name>`. */
export const problems = {
  malformed: defineProblem(
    400,
    'Malformed request',
    'The body is not valid JSON, or a header or the URL cannot be parsed.',
  ),
  'conflicting-parameters': defineProblem(
    400,
    'Conflicting parameters',
    'Two parameters exclude each other, such as `bbox` with `intersects`.',
  ),
  'invalid-parameter': defineProblem(
    400,
    'Invalid parameter',
    'A parameter or an input of a route of STAC or OGC API - Processes is not valid; `errors` and `detail` name it. Other routes answer `validation` instead.',
  ),
  'unsupported-filter': defineProblem(
    400,
    'Unsupported filter',
    'The filter language, or a conformance class of it, is not supported.',
  ),
  unauthenticated: defineProblem(
    401,
    'Authentication required',
    'The token is missing, expired, revoked or was not issued by this platform.',
  ),
  'insufficient-credits': defineProblem(
    402,
    'Insufficient credits',
    'Fewer credits are available than the call would hold. Top up and retry.',
  ),
  'payment-declined': defineProblem(402, 'Payment declined', 'The card was declined, or there is no card to charge.'),
  'payment-action-required': defineProblem(
    402,
    'Payment action required',
    'The card requires 3-D Secure. Complete the challenge with `client_secret`, then retry with the same `Idempotency-Key`.',
  ),
  'past-due': defineProblem(
    402,
    'Past due',
    'The organization has an overdue payment or is suspended. Pay it, or contact the operator of the platform.',
  ),
  'quota-storage': defineProblem(
    402,
    'Storage quota exceeded',
    'The request would exceed the storage quota of the plan.',
  ),
  'insufficient-scope': defineProblem(
    403,
    'Insufficient scope',
    'The principal lacks the scope that the operation requires.',
  ),
  'not-a-member': defineProblem(
    403,
    'Not a member',
    'The resource belongs to your organization, but you are not a member of its project or your role in it does not permit this.',
  ),
  'no-organization': defineProblem(
    403,
    'No organization',
    'The operation requires an organization, and the principal belongs to none.',
  ),
  'spend-limit-exceeded': defineProblem(
    403,
    'Spend limit exceeded',
    'The call would exceed its own `max_credits`, the per-order limit or the rolling 30-day limit of the member. Nothing is held.',
  ),
  'user-required': defineProblem(
    403,
    'User required',
    'Only a signed-in user may call this operation: no API key and, for the account itself, no program and no token of the user.',
  ),
  forbidden: defineProblem(
    403,
    'Forbidden',
    'The role does not permit this, the resource is read-only, or the share password is wrong.',
  ),
  'not-found': defineProblem(404, 'Not found', 'No resource with this id is visible to the caller.'),
  'unknown-operation': defineProblem(404, 'Unknown operation', 'No operation has this id or URL.'),
  'method-not-allowed': defineProblem(
    405,
    'Method not allowed',
    'The URL exists, and is called by another method; the header `Allow` lists them.',
  ),
  'idempotency-conflict': defineProblem(
    409,
    'Idempotency-Key conflict',
    'The key was already used with a different request body.',
  ),
  'idempotency-in-flight': defineProblem(
    409,
    'Idempotency-Key in flight',
    'The first request with this key is still in progress. Retry after the time in `Retry-After`.',
  ),
  'invalid-state': defineProblem(409, 'Invalid state', 'The resource is in a state that does not allow this.'),
  'already-decided': defineProblem(409, 'Already decided', 'The decision has already been made.'),
  'name-taken': defineProblem(409, 'Name taken', 'Another resource of the same kind already has this name.'),
  'eula-not-accepted': defineProblem(
    409,
    'Licence agreement not accepted',
    'The organization has not accepted the current version of a licence agreement of the product; `eulas` has the ids. Accept it with `eulas.document.accept`, then retry.',
  ),
  'stac-id-taken': defineProblem(409, 'STAC id taken', 'Another item of the collection already has this `stac_id`.'),
  'gone-retention': defineProblem(410, 'Gone: retention ended', 'The item is past its retention window.'),
  'gone-expired': defineProblem(410, 'Gone: expired', 'The link, URL or approval has expired or was revoked.'),
  'quote-expired': defineProblem(410, 'Quote expired', 'The price lock has expired. Request a new quote.'),
  'precondition-failed': defineProblem(
    412,
    'Precondition failed',
    'The resource has changed since the caller read it: its `ETag` matches none in `If-Match`. Read it again.',
  ),
  'too-large': defineProblem(413, 'Too large', 'The body is larger than the operation accepts.'),
  'unsupported-media-type': defineProblem(
    415,
    'Unsupported media type',
    'The body is not JSON by its `Content-Type`, or has a `Content-Encoding` that is not read; `Accept-Encoding` lists those that are.',
  ),
  validation: defineProblem(
    422,
    'Validation failed',
    'The input is not valid for the operation; `errors` and `detail` name the fields.',
  ),
  'budget-exceeded': defineProblem(
    422,
    'Budget exceeded',
    'The request asks for more pixels, bytes or time than one request may use.',
  ),
  'unsupported-raster': defineProblem(
    422,
    'Unsupported raster',
    'The file is not a raster in a supported format, or a part of it is damaged.',
  ),
  'unsupported-vector': defineProblem(
    422,
    'Unsupported vector data',
    'The item or asset has no vector features; an image, for example, has none.',
  ),
  'rate-limited': defineProblem(429, 'Rate limited', 'Too many requests. Retry after the time in `Retry-After`.'),
  'quota-exceeded': defineProblem(
    429,
    'Quota exceeded',
    'A rate-limit quota is used up. Retry after the time in `Retry-After`.',
  ),
  'download-cap': defineProblem(429, 'Download cap reached', 'The asset has reached its limit of downloads per day.'),
  'bandwidth-breaker': defineProblem(
    429,
    'Bandwidth breaker open',
    'The organization has reached its limit of bytes sent per day.',
  ),
  internal: defineProblem(
    500,
    'Internal error',
    'An unexpected error in the platform; the `trace_id` identifies it in the log.',
  ),
  upstream: defineProblem(502, 'Upstream error', 'An external host failed or returned an invalid response.'),
  unavailable: defineProblem(
    503,
    'Unavailable',
    'The platform is starting, stopping or has lost its database. Retry soon.',
  ),
} as const satisfies Record<string, ProblemDefinition>

export type ProblemName = keyof typeof problems

/** Problems that every operation can answer; operations list only the others. */
export const commonProblems: readonly ProblemName[] = [
  'malformed',
  'unauthenticated',
  'insufficient-scope',
  'no-organization',
  'too-large',
  'unsupported-media-type',
  'validation',
  'rate-limited',
  'internal',
  'unavailable',
]

/** Problems of holding or charging money. */
export const paymentProblems = [
  'past-due',
  'insufficient-credits',
  'payment-declined',
  'payment-action-required',
  'spend-limit-exceeded',
] as const satisfies readonly ProblemName[]

/** Problems of ordering imagery. */
export const orderingProblems = [
  'not-found',
  'not-a-member',
  'forbidden',
  'invalid-state',
  ...paymentProblems,
  'upstream',
] as const satisfies readonly ProblemName[]

/** Problems of reading the imagery of items. */
export const imageryReadProblems = [
  'not-found',
  'not-a-member',
  'gone-retention',
  'unsupported-raster',
  'budget-exceeded',
  'forbidden',
  'upstream',
] as const satisfies readonly ProblemName[]

/** Problems of starting billable work. */
export const jobStartProblems = [
  ...imageryReadProblems,
  'invalid-state',
  ...paymentProblems,
  'quota-storage',
] as const satisfies readonly ProblemName[]

/** Problems of reading an item or its profiles. */
export const itemReadProblems = [
  'not-found',
  'not-a-member',
  'gone-retention',
] as const satisfies readonly ProblemName[]

/** Problems of changing an item. */
export const itemWriteProblems = [
  'not-found',
  'not-a-member',
  'invalid-state',
] as const satisfies readonly ProblemName[]

/** Problems of reading the vector features of an item. */
export const vectorReadProblems = [
  ...itemReadProblems,
  'unsupported-vector',
  'budget-exceeded',
] as const satisfies readonly ProblemName[]

/** Problems of a search at external hosts. */
export const catalogSearchProblems = [
  'not-found',
  'conflicting-parameters',
  'upstream',
] as const satisfies readonly ProblemName[]

/** Problems of rendering a scene of an external host. */
export const sceneRenderProblems = [
  'not-found',
  'forbidden',
  'unsupported-raster',
  'budget-exceeded',
  'upstream',
] as const satisfies readonly ProblemName[]

/** Problems of a STAC search: it may be too expensive, take too long, or find a page that is too large. */
export const stacSearchProblems = [
  'conflicting-parameters',
  'unsupported-filter',
  'budget-exceeded',
] as const satisfies readonly ProblemName[]

/** Problems of a visitor of a share link. */
export const shareVisitorProblems = [
  'not-found',
  'forbidden',
  'gone-expired',
  'gone-retention',
  'past-due',
  'quota-exceeded',
] as const satisfies readonly ProblemName[]
