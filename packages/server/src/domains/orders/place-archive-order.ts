import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { withPayment, type PaymentReservation } from '../billing/payment.ts'
import { requireAcceptedEulas } from '../eulas/required-eulas.ts'
import { findFirstWritableProject, lockOpenProject, requireProject } from '../projects/access.ts'
import { recordProvenance } from '../provenance/record-provenance.ts'
import { toEulaProducts } from './agreements.ts'
import { toChargeLines } from './charge-lines.ts'
import { assignLicences, commonLicence } from './licences.ts'
import { emitOrderEvent } from './order-transitions.ts'
import { requireOpenQuote, useQuote } from './price-lock.ts'
import { quoteForCaller, type Quote, type CaptureRequest } from './quote.ts'
import { insertOrderCaptures, insertStatusChange, insertOrder, type OrderRow } from './store.ts'
import { taskTypes } from '../../engine/task-types.ts'

export interface ArchiveOrderRequest {
  /** Required without a quote. */
  readonly captures?: readonly CaptureRequest[]
  /** The quote whose price is charged. */
  readonly quote_id?: string | null
  readonly projectId?: string | null
  readonly licenseType?: string | null
  readonly splitByDate?: boolean | null
  /** The most that the order may cost. */
  readonly max_credits?: number | null
}

/**
 * Places an archive order: prices it, then in one transaction holds the price and writes the order with everything that
 * follows from it. Throws `validation` for captures that cannot be ordered, `eula-not-accepted`, and what `withPayment` throws;
 * then nothing was written.
 */
export async function placeArchiveOrder(
  call: Call,
  request: ArchiveOrderRequest,
): Promise<{ order: OrderRow; isDeferred: boolean }> {
  const project = await resolveProject(call, request.projectId ?? null)
  const now = call.clock.now()
  const quote = await resolveQuote(call, request, now)
  await requireAcceptedEulas(call, toEulaProducts(quote))
  const licences = assignLicences(quote.captures, request.licenseType ?? null)
  const licence = request.licenseType ?? commonLicence(licences)
  const lines = toChargeLines(quote, now.toISOString().slice(0, 10))
  const { quote_id, max_credits } = request
  const price = { amount_credits: quote.total_credits, subject: 'order', lines, max_credits }
  const order = await withPayment(call, price, (tx, payment) =>
    writeOrder(tx, call, { project, quote, quote_id: quote_id ?? null, licence, licences, payment }),
  )
  return { order, isDeferred: quote.captures.some((capture) => capture.host.delivers_later) }
}

/** The quote that the request names, or the prices of now. */
async function resolveQuote(
  call: Call,
  { captures, quote_id, splitByDate }: ArchiveOrderRequest,
  now: OrganizationTime,
): Promise<Quote> {
  if (quote_id) {
    const quote = await requireOpenQuote(call, quote_id, now)
    if (captures) throw new Problem('conflicting-parameters', '`quote_id` sets the captures: leave out `captures`.')
    return quote
  }
  if (!captures) throw validationProblem([{ path: 'captures', message: 'is required without `quote_id`' }])
  const quote = await quoteForCaller(call, { captures, splitByDate }, now)
  rejectCaptureErrors(captures, quote)
  return quote
}

/** Writes the order with its captures, provenance, checkpoint, event and task. */
async function writeOrder(tx: Tx, call: Call, draft: OrderDraft): Promise<OrderRow> {
  const { project, quote, licences, payment } = draft
  const { reference } = payment
  const { id } = reference
  await lockOpenProject(tx, call, project)
  const row = await insertOrder(tx, newOrder(call, draft))
  if (draft.quote_id !== null) await useQuote(tx, call, draft.quote_id, id)
  await insertOrderCaptures(tx, call.organization, id, toCaptureRows(quote, licences))
  const { created_at: match } = row
  await insertStatusChange(tx, call.organization, id, {
    from: null,
    to: 'CREATED',
    at: match,
    actor: call.principal.id,
  })
  const edges = quote.captures.map((capture) => ({
    relation: 'derived_from' as const,
    src: reference,
    dst: { type: 'capture', id: `${capture.host.name}:${capture.id}` },
  }))
  await recordProvenance(tx, call, edges)
  await call.claim?.checkpoint(tx, 'reserved', { order_id: id })
  await emitOrderEvent(tx, call, { id, kind: 'order.created', from: null, to: 'CREATED', details: {} })
  const payload = { organization_id: call.organization, order_id: id }
  await call.queue.enqueue(tx, taskTypes.placeWithHost, payload, { singleton_key: id })
  return row
}

async function resolveProject(call: Call, requestedProject: string | null): Promise<string> {
  const project =
    requestedProject === null
      ? await findFirstWritableProject(call)
      : await requireProject(call, requestedProject, 'write')
  if (!project)
    throw validationProblem([{ path: 'projectId', message: 'is required: you have no project to deliver into' }])
  return project.id
}

/** A placement succeeds for all captures or for none. */
export function rejectCaptureErrors(captures: readonly CaptureRequest[], quote: Quote): void {
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

interface OrderDraft {
  readonly project: string
  readonly quote: Quote
  readonly quote_id: string | null
  readonly licence: string | null
  /** One per capture. */
  readonly licences: readonly string[]
  readonly payment: PaymentReservation
}

function newOrder(call: Call, { project, quote, licence, payment }: OrderDraft): OrderRow {
  const now = call.clock.now()
  const first = quote.captures[0]!
  const additional = quote.captures.length - 1
  return {
    organization_id: call.organization,
    id: payment.reference.id,
    project_id: project,
    collection_id: null,
    type: 'archive',
    status: 'CREATED',
    sub_status: null,
    display_name:
      `Order ${now.toISOString().slice(0, 10)} ${first.id}${additional > 0 ? ` and ${additional} more` : ''}`.slice(
        0,
        255,
      ),
    tags: [],
    licence_type: licence,
    data_product_id: first.price?.product ?? first.scene.collection,
    billing_mode: payment.billing_mode,
    hold_id: payment.hold_id,
    total_credits: quote.total_credits,
    captured_credits: 0,
    refunded_credits: 0,
    groups: quote.groups,
    fulfillment: null,
    failure_code: null,
    failure_text: null,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
}

function toCaptureRows(quote: Quote, licences: readonly string[]) {
  return quote.captures.map((capture, index) => ({
    position: index + 1,
    host: capture.host.name,
    scene_id: capture.scene.id,
    item_id: newId(),
    collection: capture.scene.collection,
    scene: capture.scene,
    geometry: capture.geometry,
    credits: quote.shares.get(capture) ?? 0,
    licence: licences[index] ?? '',
  }))
}

/** An API key cannot order here, even after it was exchanged for a token: a user has to. */
export function rejectApiKey(call: Call): void {
  if (call.principal.kind === 'api_key') {
    throw new Problem('user-required', 'An API key cannot place this order; sign in as a user.')
  }
}
