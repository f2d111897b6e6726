import { Problem } from '../../../engine/problem.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../events/emit.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { postInvoiced } from './invoice-month.ts'
import { isWithin, monthSpan } from './months.ts'
import { insertInvoiced, listAccruals, listAccrualsOf, listHeldOrders, type AccrualRow } from './store.accruals.ts'
import { listCommitments } from '../commitments/store.commitments.ts'
import { findDocument } from '../documents/store.invoices.ts'

export type { AccrualRow } from './store.accruals.ts'

/** The shortfall of a commitment whose period ended in the month. */
export interface TrueUp {
  readonly commitment_id: string
  readonly amount_cents: number
  readonly at: Date
  readonly invoiced_in: string | null
}

/** The accruals of an enterprise organization in a month: orders, oldest first, and true-ups of closed commitments. */
export async function accrualsOf(
  db: Queryable,
  organization: string,
  period: string,
): Promise<{ orders: AccrualRow[]; true_ups: TrueUp[] }> {
  const span = monthSpan(period)
  const orders = await listAccruals(db, organization, span)
  const true_ups: TrueUp[] = []
  for (const { id, period_end, shortfall_cents, invoice_id } of await listCommitments(db, organization)) {
    const at = new Date(period_end.getTime() - 1)
    if (!shortfall_cents || !isWithin(span, at)) continue
    const invoice = invoice_id === null ? null : await findDocument(db, organization, invoice_id)
    true_ups.push({ commitment_id: id, amount_cents: shortfall_cents, at, invoiced_in: invoice?.number ?? null })
  }
  return { orders, true_ups }
}

export interface OutsideInvoice {
  readonly reference: string
  readonly note: string | null
  /** A month, `YYYY-MM`. */
  readonly period: string
  /** The order ids; null for all orders of the month. */
  readonly orders: readonly string[] | null
}

/**
 * Marks charges as invoiced by an external invoice: they move from accrued to invoiced, and the monthly run skips them.
 * Charges that are already invoiced are skipped. Throws `not-found` for an order without a hold, and `invalid-state` for an
 * order that was not charged to enterprise billing.
 */
export async function markInvoiced(
  tx: Tx,
  actor: Actor,
  invoice: OutsideInvoice,
): Promise<{ marked_count: number; total_cents: number }> {
  const { organization } = actor
  const books = await openBooks(tx, actor)
  const charges = (await chosen(tx, organization, invoice)).filter(({ invoiced_in }) => invoiced_in === null)
  const total_cents = charges.reduce((sum, { amount_credits }) => sum + amount_credits, 0)
  if (charges.length === 0) return { marked_count: 0, total_cents }
  const { reference, note } = invoice
  postInvoiced(books, { type: 'outside_invoice', id: reference }, reference, total_cents)
  await closeBooks(books)
  const mark = { invoice_id: null, reference, note, actor: actor.principal.id, now: books.now }
  const holds = charges.map(({ hold_id }) => hold_id)
  await insertInvoiced(tx, organization, holds, mark)
  return { marked_count: charges.length, total_cents }
}

async function chosen(tx: Tx, organization: string, { period, orders }: OutsideInvoice): Promise<AccrualRow[]> {
  if (orders === null) return listAccruals(tx, organization, monthSpan(period))
  const named = orders.map((id) => id.toLowerCase())
  const charges = await listAccrualsOf(tx, organization, named)
  const charged = new Set(charges.map(({ reference_id }) => reference_id))
  const missing = named.filter((id) => !charged.has(id))
  if (missing.length === 0) return charges
  const held = new Set(await listHeldOrders(tx, organization, missing))
  const unknown = missing.find((id) => !held.has(id))
  if (unknown) throw new Problem('not-found', `No payment exists for an order with the id "${unknown}".`)
  throw new Problem('invalid-state', `The order "${missing[0]}" is not charged to enterprise billing.`)
}
