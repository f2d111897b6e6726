import type { PlacedOrder } from '@swath/contract/schemas/order.ts'
import type { Call, PurchaseCall } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { findFirstWritableProject, requireProject } from '../projects/access.ts'
import type { OrderCaptureRequest } from './find-offers.ts'
import { toPlacedOrder } from './order.ts'
import { placeQuotedOrders, readPlacedOrder, type PlacedOrderRow } from './place-quoted-orders.ts'
import { requireOpenCaptureQuote } from './price-lock.ts'
import { quoteCapturesForCaller, type CaptureQuote } from './quote.ts'

export interface ArchiveOrderRequest {
  /** Required without a quote. */
  readonly captures?: readonly OrderCaptureRequest[]
  /** The quote whose price is charged. */
  readonly quote_id?: string | null
  readonly projectId?: string | null
  readonly licenseType?: string | null
  readonly splitByDate?: boolean | null
  readonly exclude_owned?: boolean | null
  /** The most that the order may cost. */
  readonly max_credits?: number | null
}

/**
 * Places an archive order: prices it, then holds the price and writes it (`placeQuotedOrders`). Throws `validation` for
 * captures that cannot be ordered; then nothing was written.
 */
export async function placeArchiveOrder(call: PurchaseCall, request: ArchiveOrderRequest): Promise<PlacedOrderRow> {
  const project = await resolveProject(call, request.projectId ?? null)
  const quote = await resolveQuote(call, request, call.clock.now())
  const draft = {
    quote,
    quote_id: request.quote_id ?? null,
    licence: request.licenseType ?? null,
    display_name: null,
    tags: [],
  }
  const [placed] = await placeQuotedOrders(call, {
    project,
    drafts: [draft],
    max_credits: request.max_credits,
    toRecoveryData: ([order_id]) => ({ order_id }),
  })
  return placed!
}

/** Places the order, or returns the one that an earlier attempt of the same idempotent request has written. */
export async function placeOrResumeArchiveOrder(call: Call, request: ArchiveOrderRequest): Promise<PlacedOrder> {
  const claimedOrderId = call.claim?.recoveryData['order_id']
  const { order, isDeferred } =
    typeof claimedOrderId === 'string'
      ? await readPlacedOrder(call, claimedOrderId)
      : await placeArchiveOrder(call, request)
  return toPlacedOrder(order, isDeferred ? 'awaiting_data' : 'processing')
}

/** The quote that the request names, or the prices of now. */
async function resolveQuote(
  call: PurchaseCall,
  { captures, quote_id, ...options }: ArchiveOrderRequest,
  now: OrganizationTime,
): Promise<CaptureQuote> {
  if (quote_id) {
    const quote = await requireOpenCaptureQuote(call, quote_id, now)
    if (captures) throw new Problem('conflicting-parameters', '`quote_id` sets the captures: leave out `captures`.')
    rejectExclusionWithQuote(options)
    return quote
  }
  if (!captures) throw validationProblem([{ path: 'captures', message: 'is required without `quote_id`' }])
  const quote = await quoteCapturesForCaller(call, { captures, ...options }, now)
  requireNoCaptureErrors(captures, quote)
  return quote
}

/** Throws `conflicting-parameters` for `exclude_owned` beside a quote, which has set the areas and their price. */
export function rejectExclusionWithQuote({ exclude_owned }: Pick<ArchiveOrderRequest, 'exclude_owned'>): void {
  if (exclude_owned)
    throw new Problem('conflicting-parameters', '`quote_id` sets the areas: name `exclude_owned` with `orders.quote`.')
}

async function resolveProject(call: PurchaseCall, requestedProject: string | null): Promise<string> {
  const project =
    requestedProject === null
      ? await findFirstWritableProject(call)
      : await requireProject(call, requestedProject, 'write')
  if (!project)
    throw validationProblem([{ path: 'projectId', message: 'is required: you have no project to deliver into' }])
  return project.id
}

/** A placement succeeds for all captures or for none. */
export function requireNoCaptureErrors(captures: readonly OrderCaptureRequest[], quote: CaptureQuote): void {
  if (quote.errors.length === 0) return
  const fieldErrors = quote.errors.map((captureError) => {
    const matches = captures
      .map((capture, index) => ({ capture, index }))
      .filter(({ capture }) => capture.id === captureError.id)
    const match = captureError.code === 'duplicate' ? matches.at(-1) : matches[0]
    return {
      path: `captures.${match?.index ?? 0}`,
      message: captureError.message,
      code: captureError.code,
      id: captureError.id,
    }
  })
  throw validationProblem(fieldErrors)
}

/** An API key cannot order here, even after it was exchanged for a token: a user has to. */
export function requireUserToOrder(call: Call): void {
  if (call.principal.kind === 'api_key') {
    throw new Problem('user-required', 'An API key cannot place this order; sign in as a user.')
  }
}
