import { Problem } from '../../../engine/problem.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import { flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { postInvoiceEntry } from './invoice-month.ts'
import { isInDateRange, toMonthRange } from '../../contracts/months.ts'
import {
  insertInvoicedCharges,
  listAccruedCharges,
  listAccruedChargesOfOrders,
  listOrdersWithHold,
  type AccrualRow,
} from './store.accruals.ts'
import { listCommitments } from '../../contracts/store.commitments.ts'
import { findBillingDocument } from '../documents/store.invoices.ts'

/** The shortfall of a commitment whose period ended in the month. */
export interface CommitmentTrueUp {
  readonly commitment_id: string
  readonly amount_cents: number
  readonly at: Date
  readonly invoiced_in: string | null
}

/** The accruals of an enterprise organization in a month: orders, oldest first, and true-ups of closed commitments. */
export async function readMonthAccruals(
  db: SqlStatementRunner,
  organization: string,
  period: string,
): Promise<{ orders: AccrualRow[]; true_ups: CommitmentTrueUp[] }> {
  const range = toMonthRange(period)
  const orders = await listAccruedCharges(db, organization, range)
  const true_ups: CommitmentTrueUp[] = []
  for (const { id, period_end, shortfall_cents, invoice_id } of await listCommitments(db, organization)) {
    const at = new Date(period_end.getTime() - 1)
    if (!shortfall_cents || !isInDateRange(range, at)) continue
    const invoice = invoice_id === null ? null : await findBillingDocument(db, organization, invoice_id)
    true_ups.push({
      commitment_id: id,
      amount_cents: shortfall_cents,
      at,
      invoiced_in: invoice && (invoice.number ?? invoice.id),
    })
  }
  return { orders, true_ups }
}

export interface ExternalInvoice {
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
export async function markChargesInvoiced(
  tx: Tx,
  actor: Actor,
  invoice: ExternalInvoice,
): Promise<{ marked_count: number; total_cents: number }> {
  const { organization } = actor
  const ledger = await openLedgerSession(tx, actor)
  const charges = (await selectCharges(tx, organization, invoice)).filter(({ invoiced_in }) => invoiced_in === null)
  const total_cents = charges.reduce((sum, { amount_credits }) => sum + amount_credits, 0)
  if (charges.length === 0) return { marked_count: 0, total_cents }
  const { reference, note } = invoice
  postInvoiceEntry(ledger, { type: 'outside_invoice', id: reference }, reference, total_cents)
  await flushLedgerSession(ledger)
  const mark = { invoice_id: null, reference, note, actor: actor.principal.id, now: ledger.now }
  const holds = charges.map(({ hold_id }) => hold_id)
  await insertInvoicedCharges(tx, organization, holds, mark)
  return { marked_count: charges.length, total_cents }
}

async function selectCharges(tx: Tx, organization: string, { period, orders }: ExternalInvoice): Promise<AccrualRow[]> {
  if (orders === null) return listAccruedCharges(tx, organization, toMonthRange(period))
  const orderIds = orders.map((id) => id.toLowerCase())
  const charges = await listAccruedChargesOfOrders(tx, organization, orderIds)
  const charged = new Set(charges.map(({ reference_id }) => reference_id))
  const missing = orderIds.filter((id) => !charged.has(id))
  if (missing.length === 0) return charges
  const heldOrders = new Set(await listOrdersWithHold(tx, organization, missing))
  const unknownOrder = missing.find((id) => !heldOrders.has(id))
  if (unknownOrder) throw new Problem('not-found', `No payment exists for an order with the id "${unknownOrder}".`)
  throw new Problem('invalid-state', `The order "${missing[0]}" is not charged to enterprise billing.`)
}
