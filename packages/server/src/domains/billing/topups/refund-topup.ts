import { invariant, Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../events/emit.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { takeBack } from '../../ledger/take-back.ts'
import { isDisputed } from '../processor/store.disputes.ts'
import { insertRefund } from './store.refunds.ts'
import { addRefunded, findTopup } from './store.topups.ts'

/** The task that requests a refund from the processor. */
export const sendRefundTask = 'billing.send-refund'

export interface RefundTerms {
  readonly topup_id: string
  /** Default: everything that is refundable. */
  readonly credits?: number | null
  readonly reason?: string | null
}

/**
 * Reverses unspent credits of one top-up, to be refunded to its card; returns the id of the refund. Throws `not-found`,
 * or `invalid-state` for more credits than are refundable, for an unpaid top-up and while the charge is disputed.
 */
export async function beginRefund(tx: Tx, actor: Actor, terms: RefundTerms): Promise<string> {
  const { organization } = actor
  const books = await openBooks(tx, actor)
  const topup = await findTopup(tx, organization, terms.topup_id)
  if (!topup) throw new Problem('not-found', `No top-up has the id "${terms.topup_id}".`)
  if (await isDisputed(tx, organization, topup.intent)) {
    throw new Problem('invalid-state', 'The charge is disputed and cannot be refunded until the bank has decided.')
  }
  const unspent = books.lots.find((lot) => lot.id === topup.lot_id)?.available_credits ?? 0
  const refundable_credits = Math.min(unspent, topup.credits - topup.refunded_credits)
  const credits = terms.credits ?? refundable_credits
  if (credits > refundable_credits || credits === 0) {
    const sentence = `Only ${refundable_credits} unspent credits of this top-up can be refunded.`
    throw new Problem('invalid-state', sentence, { refundable_credits })
  }
  const id = newId()
  const { entry_id } = takeBack(books, {
    kind: 'refund',
    amount_credits: credits,
    first: topup.lot_id,
    only: true,
    reference: { type: 'refund', id },
    note: terms.reason ?? null,
  })
  invariant(entry_id, 'the credits that were counted as refundable were reversed')
  await closeBooks(books)
  const { id: requested_by } = actor.principal
  const row = { id, topup_id: topup.id, credits, entry_id, reason: terms.reason ?? null, requested_by }
  await insertRefund(tx, organization, { ...row, created_at: books.now })
  await addRefunded(tx, organization, topup.id, credits)
  await actor.queue.enqueue(tx, sendRefundTask, { organization_id: organization, refund_id: id })
  return id
}
