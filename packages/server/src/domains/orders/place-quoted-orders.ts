import { limits } from '@swath/contract/limits.ts'
import type { Call, PurchaseCall } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { runWithReservedPayments, type PaymentReservation } from '../billing/payment.ts'
import { readProductTerms } from '../contracts/rates.ts'
import { formatDataProductName, isProductOffered, type ProductTermsByName } from '../rate-cards/product-terms.ts'
import { findHostCollection } from '../catalog/hosts.ts'
import { deriveDataProductId } from '../glossary/data-products.ts'
import { requireAcceptedEulas } from '../eulas/required-eulas.ts'
import { lockOpenProject } from '../projects/access.ts'
import { recordProvenance } from '../provenance/record-provenance.ts'
import { requireOrder } from './access.ts'
import { toEulaProducts } from './agreements.ts'
import { combineOrderCancelPolicies } from './cancel-policy.ts'
import { toChargeLines } from './charge-lines.ts'
import { assignCaptureLicences, findCommonLicence } from './licences.ts'
import { emitOrderEvent } from './order-transitions.ts'
import { consumeOrderQuote } from './price-lock.ts'
import type { CaptureQuote, QuotedCapture } from './quote.ts'
import { insertOrder, insertOrderCaptures, insertOrderStatusChange, listOrderCaptures, type OrderRow } from './store.ts'

/** An order to place: captures without errors, with their prices. */
export interface OrderDraft {
  readonly quote: CaptureQuote
  /** The stored quote that the order uses up. */
  readonly quote_id: string | null
  /** The requested licence; null: the standard licence of each product. */
  readonly licence: string | null
  /** Default: a name with the date and the first scene. */
  readonly display_name: string | null
  readonly tags: readonly string[]
}

export interface PlacedOrderRow {
  readonly order: OrderRow
  /** A host must deliver the data first. */
  readonly isDeferred: boolean
}

/**
 * Places orders, all of them or none: in one transaction it holds the price of each and writes it with everything that
 * follows from it. Throws `validation` for a licence that is not offered, `invalid-state` for a withdrawn product, `eula-not-accepted`, and what `runWithReservedPayments` throws; then nothing was
 * written.
 */
export async function placeQuotedOrders(
  call: PurchaseCall,
  {
    project,
    drafts,
    max_credits,
    toRecoveryData,
  }: {
    readonly project: string
    readonly drafts: readonly OrderDraft[]
    readonly max_credits: number | null | undefined
    /** The data that a repeated call needs if this one is killed after the transaction. */
    readonly toRecoveryData: (ids: readonly string[]) => Readonly<Record<string, unknown>>
  },
): Promise<PlacedOrderRow[]> {
  const today = call.clock.now().toISOString().slice(0, 10)
  const licensed = drafts.map((draft) => ({
    ...draft,
    licences: assignCaptureLicences(draft.quote.captures, draft.licence),
  }))
  for (const { quote, licences } of licensed) rejectOtherLicences(quote.captures, licences)
  const products = await readProductTerms(call)
  for (const { quote } of drafts) rejectWithdrawnProducts(quote, products)
  await requireAcceptedEulas(
    call,
    drafts.flatMap(({ quote }) => toEulaProducts(quote, products)),
  )
  const requests = drafts.map(({ quote }) => ({
    amount_credits: quote.total_credits,
    subject: 'order',
    lines: toChargeLines(quote, today),
  }))
  const orders = await runWithReservedPayments(call, { requests, max_credits }, async (tx, payments) => {
    await lockOpenProject(tx, call, project)
    const rows: OrderRow[] = []
    for (const [index, draft] of licensed.entries())
      rows.push(await writeOrder(tx, call, { ...draft, project, payment: payments[index]! }))
    await call.claim?.checkpoint(tx, 'reserved', toRecoveryData(rows.map(({ id }) => id)))
    return rows
  })
  return orders.map((order, index) => ({
    order,
    isDeferred: drafts[index]!.quote.captures.some((capture) => capture.host.delivers_later),
  }))
}

/** Throws `conflicting-parameters` for a licence other than that of the held areas that a quote leaves out. */
function rejectOtherLicences(captures: readonly QuotedCapture[], licences: readonly string[]): void {
  const at = captures.findIndex(({ held_licence }, index) => held_licence && held_licence !== licences[index])
  if (at === -1) return
  const licence = captures[at]!.held_licence
  throw new Problem('conflicting-parameters', `The quote leaves out area that is held under the licence ${licence}.`)
}

/** A quote keeps its prices and licences; a product that was withdrawn meanwhile cannot be ordered by it. */
function rejectWithdrawnProducts({ captures }: CaptureQuote, products: ProductTermsByName): void {
  const withdrawn = captures.find(
    ({ host, scene }) => !isProductOffered(products, formatDataProductName(host.name, scene.collection)),
  )
  if (!withdrawn) return
  throw new Problem('invalid-state', `The capture "${withdrawn.id}" is not offered any more.`)
}

/** An order that an earlier attempt of the same idempotent request has written. */
export async function readPlacedOrder(call: Call, id: string): Promise<PlacedOrderRow> {
  const order = await requireOrder(call, id, 'read')
  const captures = await listOrderCaptures(call.db, call.organization, id)
  const isDeferred =
    order.type === 'tasking' ||
    captures.some((capture) => call.integrations.hosts.get(capture.host)?.delivers_later ?? false)
  return { order, isDeferred }
}

interface LicensedOrderDraft extends OrderDraft {
  readonly project: string
  /** One per capture. */
  readonly licences: readonly string[]
  readonly payment: PaymentReservation
}

/** Writes an order with its captures, provenance, event and task. */
async function writeOrder(tx: Tx, call: PurchaseCall, draft: LicensedOrderDraft): Promise<OrderRow> {
  const { quote, licences, payment } = draft
  const { reference } = payment
  const { id } = reference
  const row = await insertOrder(tx, newOrder(call, draft))
  if (draft.quote_id !== null) await consumeOrderQuote(tx, call, draft.quote_id, id)
  await insertOrderCaptures(tx, call.organization, id, toCaptureRows(quote, licences))
  const { created_at: at } = row
  await insertOrderStatusChange(tx, call.organization, id, { from: null, to: 'CREATED', at, actor: call.principal.id })
  const edges = quote.captures.map((capture) => ({
    relation: 'derived_from' as const,
    src: reference,
    dst: { type: 'capture', id: `${capture.host.name}:${capture.id}` },
  }))
  await recordProvenance(tx, call, edges)
  await emitOrderEvent(tx, call, { order: row, kind: 'order.created', from: null, to: 'CREATED', details: {} })
  const payload = { organization_id: call.organization, order_id: id }
  await call.queue.enqueue(tx, backgroundTaskTypes.placeWithHost, payload, { singleton_key: id })
  return row
}

function newOrder(call: PurchaseCall, draft: LicensedOrderDraft): OrderRow {
  const { project, quote, licence, licences, payment } = draft
  const now = call.clock.now()
  return {
    organization_id: call.organization,
    id: payment.reference.id,
    project_id: project,
    collection_id: null,
    type: 'archive',
    status: 'CREATED',
    sub_status: null,
    display_name: draft.display_name ?? defaultName(quote),
    tags: draft.tags,
    licence_type: licence ?? findCommonLicence(licences),
    data_product_id: commonDataProduct(quote),
    billing_mode: payment.billing_mode,
    hold_id: payment.hold_id,
    total_credits: quote.total_credits,
    captured_credits: 0,
    refunded_credits: 0,
    groups: quote.groups,
    fulfillment: null,
    failure_code: null,
    failure_text: null,
    ...combineOrderCancelPolicies(quote),
    cancel_by: null,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
}

/** The data product of all captures; null if they have different ones. */
function commonDataProduct({ captures }: CaptureQuote): string | null {
  const ids = captures.map(({ host, scene }) =>
    deriveDataProductId(host.name, findHostCollection(host, scene)?.id ?? scene.collection),
  )
  return new Set(ids).size === 1 ? ids[0]! : null
}

/** The default name of an order: place and date of the first scene; its id for hosts without places. */
function defaultName({ captures }: CaptureQuote): string {
  const additional = captures.length - 1
  const { id, scene } = captures[0]!
  const { place } = scene.properties
  const text = `${typeof place === 'string' && place !== '' ? place : id}, ${scene.datetime.slice(0, 10)}`
  return `${text}${additional > 0 ? ` and ${additional} more` : ''}`.slice(0, limits.max_name_length)
}

function toCaptureRows(quote: CaptureQuote, licences: readonly string[]) {
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
    product_version: capture.price?.product_version ?? null,
  }))
}
