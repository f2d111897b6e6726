import { type TaskContext, createTaskActor } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import { type LedgerSession, flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { recordRefundPayout, restoreCredits, reverseCredits } from '../../ledger/reverse-credits.ts'
import { createRefundLine, issueReceiptCreditNote } from '../../invoicing/documents/credit-receipt.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import type { BillingDocumentRow } from '../../invoicing/documents/store.invoices.ts'
import type { OwnPaymentIntent } from './own-intent.ts'
import {
  type DisputeRow,
  findDispute,
  insertCardDispute,
  listLotsOfDispute,
  markDisputeClosed,
} from './store.disputes.ts'
import type { TopupPaymentEffects } from './topup-payments.ts'
import { findCardAuthorisation } from '../store.authorisations.ts'
import { issueCardReceipt } from '../card-receipt.ts'

/** Finds or issues the receipt of a paid intent; null if it is not paid yet. */
async function ensureReceiptOfIntent(
  ledger: LedgerSession,
  issuer: DocumentIssuer,
  ownIntent: OwnPaymentIntent,
  topups: TopupPaymentEffects,
): Promise<BillingDocumentRow | null> {
  const { tx } = ledger
  if (ownIntent.topup_id !== null) return topups.ensureReceipt(ledger, issuer, ownIntent.topup_id)
  if (ownIntent.authorisation_id === null) return null
  const row = await findCardAuthorisation(tx, ownIntent.organization, ownIntent.authorisation_id)
  return row?.state === 'captured' ? issueCardReceipt(ledger, issuer.seller, row) : null
}

/** The data of a dispute event. */
export interface DisputeEventData {
  readonly dispute: string
  readonly amount_cents: number
  readonly status: DisputeRow['state']
}

const disputeStates: ReadonlySet<unknown> = new Set(['open', 'won', 'lost'])

/** Returns null if the event lacks a required field. */
export function parseDisputeEvent(data: Readonly<Record<string, string | number>>): DisputeEventData | null {
  const { dispute, amount_cents, status } = data
  if (typeof dispute !== 'string' || typeof amount_cents !== 'number' || !disputeStates.has(status)) return null
  return { dispute, amount_cents, status: status as DisputeEventData['status'] }
}

/**
 * Applies the state of a dispute. While it is open, up to its amount is moved from the wallet to `refunds`, first from
 * the lot of the disputed charge. If it is won, the credits return to their lots; if lost, the payout is recorded.
 * Events may arrive in any order: a closed dispute is never reopened.
 */
export async function applyPaymentProcessorDispute(
  job: TaskContext,
  ownIntent: OwnPaymentIntent,
  event: DisputeEventData,
  topups: TopupPaymentEffects,
): Promise<void> {
  const { intent, organization, topup_id } = ownIntent
  const actor = createTaskActor(job, organization)
  await job.database.forOrganization(organization).transaction(async (tx) => {
    const isPaid = topup_id !== null && intent.status === 'succeeded'
    const lot_id = isPaid ? await topups.completeWithLot(tx, actor, topup_id, intent) : null
    const row =
      (await findDispute(tx, organization, event.dispute)) ??
      (await openDispute(tx, actor, event, { intent: intent.id, firstLotId: lot_id }))
    if (row.state !== 'open' || event.status === 'open') return
    const ensureReceipt = (ledger: LedgerSession) => ensureReceiptOfIntent(ledger, actor, ownIntent, topups)
    await resolveDispute(tx, actor, { row, state: event.status, ensureReceipt })
  })
}

const emitDisputeEvent = (
  tx: Tx,
  actor: Actor,
  kind: 'dispute.opened' | 'dispute.closed',
  row: DisputeRow,
): Promise<void> => {
  const { id: entity_id, intent: payment_intent_id, amount_cents, held_credits, state } = row
  const data = { payment_intent_id, aud: amount_cents / 100, held_credits, state }
  return emitEvent(tx, actor, { kind, entity_type: 'dispute', entity_id, data })
}

async function openDispute(
  tx: Tx,
  actor: Actor,
  { dispute, amount_cents, status }: DisputeEventData,
  { intent, firstLotId }: { readonly intent: string; readonly firstLotId: string | null },
): Promise<DisputeRow> {
  const ledger = await openLedgerSession(tx, actor)
  const id = newId()
  const reference = { type: 'dispute', id }
  // A dispute whose first event is its win reverses nothing.
  const amount_credits = status === 'won' ? 0 : amount_cents
  const { lots } = reverseCredits(ledger, {
    kind: 'dispute_hold',
    amount_credits,
    firstLotId,
    reference,
    note: dispute,
  })
  await flushLedgerSession(ledger)
  const held_credits = lots.reduce((sum, lot) => sum + lot.amount_credits, 0)
  const row = { id, dispute, intent, amount_cents, held_credits }
  await insertCardDispute(tx, { organization: actor.organization, row, lots, at: ledger.now })
  const opened = { ...row, state: 'open' } as const
  await emitDisputeEvent(tx, actor, 'dispute.opened', opened)
  return opened
}

/** Finds or issues the receipt of the disputed charge; null if the charge is not paid yet. */
type EnsureReceipt = (ledger: LedgerSession) => Promise<BillingDocumentRow | null>

async function resolveDispute(
  tx: Tx,
  actor: DocumentIssuer,
  {
    row,
    state,
    ensureReceipt,
  }: { readonly row: DisputeRow; readonly state: 'won' | 'lost'; readonly ensureReceipt: EnsureReceipt },
): Promise<void> {
  const ledger = await openLedgerSession(tx, actor)
  if (state === 'won') await restoreDisputedCredits(ledger, row)
  else await recordLostDispute(ledger, actor, row, ensureReceipt)
  await flushLedgerSession(ledger)
  await markDisputeClosed(tx, { organization: actor.organization, id: row.id, state, at: ledger.now })
  await emitDisputeEvent(tx, actor, 'dispute.closed', { ...row, state })
}

/** Records the lost money, and a credit note for the tax on it. */
async function recordLostDispute(
  ledger: LedgerSession,
  actor: DocumentIssuer,
  row: DisputeRow,
  ensureReceipt: EnsureReceipt,
): Promise<void> {
  recordRefundPayout(ledger, { kind: 'dispute_lost', amount_credits: row.amount_cents, ...entryDetails(row) })
  const receipt = await ensureReceipt(ledger)
  if (!receipt) return
  const { reference } = entryDetails(row)
  const line = createRefundLine('Refunded after a dispute')
  await issueReceiptCreditNote(ledger, actor.seller, receipt, { cents: row.amount_cents, reference, line })
}

const entryDetails = (row: DisputeRow) => ({ reference: { type: 'dispute', id: row.id }, note: row.dispute })

async function restoreDisputedCredits(ledger: LedgerSession, row: DisputeRow): Promise<void> {
  const lots = await listLotsOfDispute(ledger.tx, ledger.actor.organization, row.id)
  if (lots.length > 0) restoreCredits(ledger, { kind: 'dispute_won', lots, ...entryDetails(row) })
}
