import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import {
  flushLedgerSession,
  openLedgerSession,
  appendJournalEntry,
  type LedgerSession,
} from '../ledger/ledger-session.ts'
import { computeCommitmentRollup } from './commitment-response.ts'
import { requireCommitment } from './commitments.ts'
import { updateClosedCommitment, sumDeliveredByCommitment, type CommitmentRow } from './store.commitments.ts'

/** A closed commitment, and what closing it has charged now: 0 if it was closed before. */
export interface ClosedCommitment {
  readonly row: CommitmentRow
  readonly charged_cents: number
}

/** Closes a commitment whose period has ended; a closed one is returned unchanged. Throws `not-found`, `invalid-state`. */
export async function closeCommitment(tx: Tx, actor: Actor, id: string): Promise<ClosedCommitment> {
  const ledger = await openLedgerSession(tx, actor)
  const row = await requireCommitment(tx, actor.organization, id)
  if (row.closed_at !== null) return { row, charged_cents: 0 }
  if (row.period_end > ledger.now) {
    throw new Problem('invalid-state', `The period does not end until ${row.period_end.toISOString()}.`)
  }
  const closed = await closeCommitmentInSession(ledger, row)
  await flushLedgerSession(ledger)
  return { row: closed, charged_cents: closed.shortfall_cents ?? 0 }
}

/**
 * Take-or-pay: the shortfall below the minimum is accrued by exactly one entry and goes into the next invoice. Runs in an
 * open ledger session, so that deliveries that wait for the lock are too late for the period.
 */
export async function closeCommitmentInSession(ledger: LedgerSession, row: CommitmentRow): Promise<CommitmentRow> {
  const { tx, actor, now: closed_at } = ledger
  const delivered = (await sumDeliveredByCommitment(tx, actor.organization)).get(row.id) ?? 0
  const closingRow = { ...row, closed_at }
  const { delivered_cents, shortfall_cents } = computeCommitmentRollup(closingRow, delivered, closed_at)
  const true_up_entry_id = shortfall_cents > 0 ? postTrueUp(ledger, row.id, shortfall_cents) : null
  const result = { delivered_cents, shortfall_cents, true_up_entry_id, closed_at }
  await updateClosedCommitment(tx, actor.organization, row.id, result)
  const data = {
    name: row.name,
    committed_aud: row.committed_cents / 100,
    delivered_aud: delivered_cents / 100,
    shortfall_aud: shortfall_cents / 100,
  }
  await emitEvent(tx, actor, { kind: 'commitment.closed', entity_type: 'commitment', entity_id: row.id, data })
  return { ...row, ...result }
}

/** One credit is one cent. */
const postTrueUp = (ledger: LedgerSession, commitment: string, cents: number): string =>
  appendJournalEntry(ledger, {
    kind: 'true_up',
    amount_credits: -cents,
    reference: { type: 'commitment', id: commitment },
    postings: [
      { account: 'enterprise.accrued', amount_credits: -cents, lot_id: null },
      { account: 'revenue', amount_credits: cents, lot_id: null },
    ],
  })
