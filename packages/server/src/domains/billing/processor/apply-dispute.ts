import { actorOf, type Job } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { closeBooks, openBooks, type Books } from '../../ledger/books.ts'
import { bringBack, payOut, takeBack } from '../../ledger/take-back.ts'
import { creditReceiptIn, givenBack } from '../documents/credit-receipt.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { receiptOf } from './paid-receipt.ts'
import type { OwnIntent } from './payment-owner.ts'
import { closeDispute, findDispute, insertDispute, lotsOfDispute, type DisputeRow } from './store.disputes.ts'
import { finishTopup } from '../topups/topup.ts'

/** The data of a dispute event. */
export interface DisputeFacts {
  readonly dispute: string
  readonly amount_cents: number
  readonly status: DisputeRow['state']
}

const states: ReadonlySet<unknown> = new Set(['open', 'won', 'lost'])

/** Returns null if the event lacks a required field. */
export function disputeFacts(data: Readonly<Record<string, string | number>>): DisputeFacts | null {
  const { dispute, amount_cents, status } = data
  if (typeof dispute !== 'string' || typeof amount_cents !== 'number' || !states.has(status)) return null
  return { dispute, amount_cents, status: status as DisputeFacts['status'] }
}

/**
 * Applies the state of a dispute. While it is open, up to its amount is moved from the wallet to `refunds`, first from
 * the lot of the disputed charge. If it is won, the credits return to their lots; if lost, the payout is recorded.
 * Events may arrive in any order: a closed dispute is never reopened.
 */
export async function applyDispute(job: Job, own: OwnIntent, facts: DisputeFacts): Promise<void> {
  const { intent, organization, topup_id } = own
  const actor = actorOf(job, organization)
  await job.database.of(organization).transaction(async (tx) => {
    const paid = topup_id !== null && intent.status === 'succeeded'
    const topup = paid ? await finishTopup(tx, actor, topup_id, intent) : null
    const row =
      (await findDispute(tx, organization, facts.dispute)) ??
      (await open(tx, actor, facts, intent.id, topup?.lot_id ?? null))
    if (row.state === 'open' && facts.status !== 'open') await close(tx, actor, own, row, facts.status)
  })
}

const tell = (tx: Tx, actor: Actor, kind: 'dispute.opened' | 'dispute.closed', row: DisputeRow): Promise<void> => {
  const { id: entity_id, intent: payment_intent_id, amount_cents, held_credits, state } = row
  const data = { payment_intent_id, aud: amount_cents / 100, held_credits, state }
  return emit(tx, actor, { kind, entity_type: 'dispute', entity_id, data })
}

async function open(
  tx: Tx,
  actor: Actor,
  { dispute, amount_cents, status }: DisputeFacts,
  intent: string,
  first: string | null,
): Promise<DisputeRow> {
  const books = await openBooks(tx, actor)
  const id = newId()
  const reference = { type: 'dispute', id }
  // A dispute whose first event is its win reverses nothing.
  const amount_credits = status === 'won' ? 0 : amount_cents
  const { lots } = takeBack(books, { kind: 'dispute_hold', amount_credits, first, reference, note: dispute })
  await closeBooks(books)
  const held_credits = lots.reduce((sum, lot) => sum + lot.amount_credits, 0)
  const row = { id, dispute, intent, amount_cents, held_credits }
  await insertDispute(tx, actor.organization, row, lots, books.now)
  const opened = { ...row, state: 'open' } as const
  await tell(tx, actor, 'dispute.opened', opened)
  return opened
}

async function close(tx: Tx, actor: Issuer, own: OwnIntent, row: DisputeRow, state: 'won' | 'lost'): Promise<void> {
  const books = await openBooks(tx, actor)
  if (state === 'won') await giveBack(books, row)
  else await lose(books, actor, own, row)
  await closeBooks(books)
  await closeDispute(tx, actor.organization, row.id, state, books.now)
  await tell(tx, actor, 'dispute.closed', { ...row, state })
}

/** Records the lost money, and a credit note for the tax on it. */
async function lose(books: Books, actor: Issuer, own: OwnIntent, row: DisputeRow): Promise<void> {
  payOut(books, { kind: 'dispute_lost', amount_credits: row.amount_cents, ...wording(row) })
  const receipt = await receiptOf(books, actor, own)
  if (!receipt) return
  const { reference } = wording(row)
  const line = givenBack('Refunded after a dispute')
  await creditReceiptIn(books, actor.seller, receipt, { cents: row.amount_cents, reference, line })
}

const wording = (row: DisputeRow) => ({ reference: { type: 'dispute', id: row.id }, note: row.dispute })

async function giveBack(books: Books, row: DisputeRow): Promise<void> {
  const lots = await lotsOfDispute(books.tx, books.actor.organization, row.id)
  if (lots.length > 0) bringBack(books, { kind: 'dispute_won', lots, ...wording(row) })
}
