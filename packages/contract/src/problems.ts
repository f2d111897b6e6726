/** One way in which a call can fail: the same name in code and on the wire. */
export interface ProblemRow {
  readonly status: number
  readonly title: string
  /** What it means and what to do about it; printed on the page that `type` points to. */
  readonly meaning: string
}

const row = (status: number, title: string, meaning: string): ProblemRow => ({ status, title, meaning })

/** The closed list. `type` of a problem document is `{base}/problems/<name>`. */
export const problems = {
  malformed: row(400, 'Malformed request', 'The body is not readable JSON, or a header or address cannot be read.'),
  'conflicting-parameters': row(
    400,
    'Conflicting parameters',
    'Two parameters exclude each other, such as `bbox` with `intersects`.',
  ),
  'invalid-parameter': row(
    400,
    'Invalid parameter',
    'What the routes of the STAC API say where an operation says `validation`; `errors` and `detail` say where.',
  ),
  'unsupported-filter': row(400, 'Unsupported filter', 'The filter language or a class of it is not served here.'),
  unauthenticated: row(401, 'Authentication required', 'The token is missing, expired, revoked or not ours.'),
  'insufficient-credits': row(
    402,
    'Insufficient credits',
    'The wallet holds fewer credits than the call would reserve. Top up and send it again.',
  ),
  'payment-declined': row(402, 'Payment declined', 'The card was declined, or there is no card to charge.'),
  'payment-action-required': row(
    402,
    'Payment action required',
    'The card asks for 3-D Secure. Complete the challenge with `client_secret`, then retry with the same key.',
  ),
  'past-due': row(
    402,
    'Past due',
    'The organization owes what was due, or is suspended. Pay, or ask whoever runs the platform.',
  ),
  'quota-storage': row(402, 'Storage quota exceeded', 'The plan has no room for so many bytes.'),
  'insufficient-scope': row(
    403,
    'Insufficient scope',
    'The principal lacks the one scope that the operation requires.',
  ),
  'not-a-member': row(
    403,
    'Not a member',
    'The resource is in your organization, and you are not a member of its project or your role is too low.',
  ),
  'no-organization': row(
    403,
    'No organization',
    'The operation works inside an organization and the principal has none.',
  ),
  'spend-limit-exceeded': row(
    403,
    'Spend limit exceeded',
    'A per-order or rolling 30-day limit of the member would be passed. Nothing is reserved.',
  ),
  'user-required': row(403, 'User required', 'A person must act here; an API key may not.'),
  forbidden: row(403, 'Forbidden', 'The role is too low, the resource is read-only, or the share password is wrong.'),
  'not-found': row(404, 'Not found', 'Nothing of that id is visible to the caller.'),
  'unknown-operation': row(404, 'Unknown operation', 'No operation has that id or address.'),
  'idempotency-conflict': row(409, 'Idempotency-Key conflict', 'The key was used for another body.'),
  'idempotency-in-flight': row(
    409,
    'Idempotency-Key in flight',
    'The first call with this key is still running. Retry after the stated time.',
  ),
  'invalid-state': row(409, 'Invalid state', 'The resource is in a state that does not allow this.'),
  'already-decided': row(409, 'Already decided', 'The decision was taken before.'),
  'name-taken': row(409, 'Name taken', 'Another resource beside this one has the name.'),
  'stac-id-taken': row(409, 'STAC id taken', 'Another item of the organization has the `stac_id`.'),
  'gone-retention': row(410, 'Gone: retention ended', 'The item is past its retention window.'),
  'gone-expired': row(410, 'Gone: expired', 'The link, address or approval has expired or was revoked.'),
  'quote-expired': row(410, 'Quote expired', 'The price lock has ended. Ask for a new quote.'),
  'precondition-failed': row(
    412,
    'Precondition failed',
    'The resource has changed since the caller read it: its tag is none of those in `If-Match`. Read it again.',
  ),
  'too-large': row(413, 'Too large', 'The body is larger than the operation accepts.'),
  validation: row(422, 'Validation failed', 'The input does not fit the operation; `errors` and `detail` say where.'),
  'budget-exceeded': row(
    422,
    'Budget exceeded',
    'The request asks for more pixels, bytes or time than one request may use.',
  ),
  'unsupported-raster': row(
    422,
    'Unsupported raster',
    'The file is not a raster that can be read, or a part of it is damaged.',
  ),
  'unsupported-vector': row(
    422,
    'Unsupported vector data',
    'The item or asset holds no vector features, such as an image.',
  ),
  'rate-limited': row(429, 'Rate limited', 'Too many requests. Retry after the stated time.'),
  'quota-exceeded': row(429, 'Quota exceeded', 'A rate-limit quota is used up. Retry after the stated time.'),
  'download-cap': row(429, 'Download cap reached', 'The asset was downloaded as often as it may be in a day.'),
  'bandwidth-breaker': row(
    429,
    'Bandwidth breaker open',
    'The organization has sent as many bytes as it may in a day.',
  ),
  internal: row(500, 'Internal error', 'A fault of ours; the `trace_id` finds it in the log.'),
  'not-implemented': row(501, 'Not implemented', 'The operation is declared and not answered yet.'),
  upstream: row(502, 'Upstream error', 'A host outside the platform failed or answered nonsense.'),
  unavailable: row(503, 'Unavailable', 'The platform is starting, stopping or has lost its database. Retry soon.'),
} as const satisfies Record<string, ProblemRow>

export type ProblemName = keyof typeof problems

/** What any call may end with, whichever operation it asks for; operations list only what they add. */
export const commonProblems: readonly ProblemName[] = [
  'malformed',
  'unauthenticated',
  'insufficient-scope',
  'no-organization',
  'too-large',
  'validation',
  'rate-limited',
  'internal',
  'unavailable',
]

/** What any way of reserving or charging money may end with. */
export const paymentProblems = [
  'past-due',
  'insufficient-credits',
  'payment-declined',
  'payment-action-required',
  'spend-limit-exceeded',
] as const satisfies readonly ProblemName[]

/** What buying imagery may end with. */
export const buyingProblems = [
  'not-found',
  'not-a-member',
  'forbidden',
  'invalid-state',
  ...paymentProblems,
  'upstream',
] as const satisfies readonly ProblemName[]

/** What starting billable work may end with. */
export const startingProblems = [
  'not-found',
  'not-a-member',
  'invalid-state',
  'gone-retention',
  ...paymentProblems,
  'quota-storage',
  'budget-exceeded',
] as const satisfies readonly ProblemName[]
