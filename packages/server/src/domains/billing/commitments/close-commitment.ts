import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { closeBooks, openBooks, post, type Books } from '../../ledger/books.ts'
import { rollUpOf } from './commitment-answers.ts'
import { requireCommitment, type CommitmentRow } from './commitments.ts'
import { closeTerms, sumDelivered } from './store.commitments.ts'

/** Closes a commitment whose period has ended; a closed one is returned unchanged. Throws `not-found`, `invalid-state`. */
export async function closePeriod(tx: Tx, actor: Actor, id: string): Promise<CommitmentRow> {
  const books = await openBooks(tx, actor)
  const row = await requireCommitment(tx, actor.organization, id)
  if (row.closed_at !== null) return row
  if (row.period_end > books.now) {
    throw new Problem('invalid-state', `The period does not end until ${row.period_end.toISOString()}.`)
  }
  const closed = await closeIn(books, row)
  await closeBooks(books)
  return closed
}

/**
 * Take-or-pay: the shortfall below the minimum is accrued by exactly one entry and goes into the next invoice. Runs in an
 * open ledger session, so that deliveries that wait for the lock are too late for the period.
 */
export async function closeIn(books: Books, row: CommitmentRow): Promise<CommitmentRow> {
  const { tx, actor, now: closed_at } = books
  const delivered = (await sumDelivered(tx, actor.organization)).get(row.id) ?? 0
  const closing = { ...row, closed_at }
  const { delivered_cents, shortfall_cents } = rollUpOf(closing, delivered, closed_at)
  const true_up_entry_id = shortfall_cents > 0 ? trueUp(books, row.id, shortfall_cents) : null
  const found = { delivered_cents, shortfall_cents, true_up_entry_id, closed_at }
  await closeTerms(tx, actor.organization, row.id, found)
  const data = {
    name: row.name,
    committed_aud: row.committed_cents / 100,
    delivered_aud: delivered_cents / 100,
    shortfall_aud: shortfall_cents / 100,
  }
  await emit(tx, actor, { kind: 'commitment.closed', entity_type: 'commitment', entity_id: row.id, data })
  return { ...row, ...found }
}

/** One credit is one cent. */
const trueUp = (books: Books, commitment: string, cents: number): string =>
  post(books, {
    kind: 'true_up',
    amount_credits: -cents,
    reference: { type: 'commitment', id: commitment },
    postings: [
      { account: 'enterprise.accrued', amount_credits: -cents, lot_id: null },
      { account: 'revenue', amount_credits: cents, lot_id: null },
    ],
  })
