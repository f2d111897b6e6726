import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { spend, type Reservation } from '../billing/spend.ts'
import { firstWritableProject, keepProjectOpen, requireProject } from '../projects/access.ts'
import { record } from '../provenance/record.ts'
import { chargeLinesOf } from './charge-lines.ts'
import { chooseLicences, commonLicence } from './licences.ts'
import { emitStep } from './moves.ts'
import { quoteFor, type Quote, type WantedCapture } from './quote.ts'
import { insertCaptures, insertChange, insertOrder, type OrderRow } from './store.ts'

export interface ArchiveWish {
  readonly captures: readonly WantedCapture[]
  readonly projectId?: string | null
  readonly licenseType?: string | null
  readonly splitByDate?: boolean | null
}

/** The name of the task that places a new order with its hosts. */
export const placeWithHost = 'orders.place-with-host'

/**
 * Places an archive order: prices it, then in one transaction holds the price and writes the order with everything that
 * follows from it. Throws `validation` for captures that cannot be ordered, and what `withPayment` throws; then nothing was
 * written.
 */
export async function placeArchiveOrder(call: Call, wish: ArchiveWish): Promise<{ order: OrderRow; later: boolean }> {
  const project = await projectFor(call, wish.projectId ?? null)
  const now = call.clock.now()
  const quote = await quoteFor(call, wish, now)
  refuseFaults(wish, quote)
  const licences = chooseLicences(quote.captures, wish.licenseType ?? null)
  const licence = wish.licenseType ?? commonLicence(licences)
  const lines = chargeLinesOf(quote, now.toISOString().slice(0, 10))
  const price = { amount_credits: quote.total_credits, subject: 'order', lines }
  const order = await spend(call, price, (tx, paid) =>
    writeOrder(tx, call, { project, quote, licence, licences, paid }),
  )
  return { order, later: quote.captures.some((capture) => capture.host.delivers_later) }
}

/** Writes the order with its captures, provenance, checkpoint, event and task. */
async function writeOrder(tx: Tx, call: Call, parts: OrderParts): Promise<OrderRow> {
  const { project, quote, licences, paid } = parts
  const { reference } = paid
  const { id } = reference
  await keepProjectOpen(tx, call, project)
  const row = await insertOrder(tx, newOrder(call, parts))
  await insertCaptures(tx, call.organization, id, captureRows(quote, licences))
  const { created_at: at } = row
  await insertChange(tx, call.organization, id, { from: null, to: 'CREATED', at, actor: call.principal.id })
  const edges = quote.captures.map((capture) => ({
    relation: 'derived_from' as const,
    src: reference,
    dst: { type: 'capture', id: `${capture.host.name}:${capture.id}` },
  }))
  await record(tx, call, edges)
  await call.claim?.reach(tx, 'reserved', { order_id: id })
  await emitStep(tx, call, id, 'order.created', null, 'CREATED', {})
  const handOff = { organization_id: call.organization, order_id: id }
  await call.queue.enqueue(tx, placeWithHost, handOff, { singleton_key: id })
  return row
}

async function projectFor(call: Call, given: string | null): Promise<string> {
  const project = given === null ? await firstWritableProject(call) : await requireProject(call, given, 'write')
  if (!project)
    throw validationProblem([{ path: 'projectId', message: 'is required: you have no project to deliver into' }])
  return project.id
}

/** A placement succeeds for all captures or for none. */
function refuseFaults(wish: ArchiveWish, quote: Quote): void {
  if (quote.errors.length === 0) return
  const faults = quote.errors.map((fault) => {
    const named = wish.captures
      .map((capture, index) => ({ capture, index }))
      .filter(({ capture }) => capture.id === fault.id)
    const at = fault.code === 'duplicate' ? named.at(-1) : named[0]
    return { path: `captures.${at?.index ?? 0}`, message: fault.message, code: fault.code, id: fault.id }
  })
  throw validationProblem(faults)
}

interface OrderParts {
  readonly project: string
  readonly quote: Quote
  readonly licence: string | null
  /** One per capture. */
  readonly licences: readonly string[]
  readonly paid: Reservation
}

function newOrder(call: Call, { project, quote, licence, paid }: OrderParts): OrderRow {
  const now = call.clock.now()
  const first = quote.captures[0]!
  const more = quote.captures.length - 1
  return {
    organization_id: call.organization,
    id: paid.reference.id,
    project_id: project,
    collection_id: null,
    type: 'archive',
    status: 'CREATED',
    sub_status: null,
    display_name: `Order ${now.toISOString().slice(0, 10)} ${first.id}${more > 0 ? ` and ${more} more` : ''}`.slice(
      0,
      255,
    ),
    tags: [],
    licence_type: licence,
    data_product_id: first.price?.product ?? first.scene.collection,
    billing_mode: paid.billing_mode,
    hold_id: paid.hold_id,
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

function captureRows(quote: Quote, licences: readonly string[]) {
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
export function requirePerson(call: Call): void {
  if (call.principal.kind === 'api_key') {
    throw new Problem('user-required', 'An API key cannot place this order; sign in as a user.')
  }
}
