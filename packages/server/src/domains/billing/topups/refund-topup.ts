import { assertInvariant, Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../../engine/actor.ts'
import { flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { reverseCredits } from '../../ledger/reverse-credits.ts'
import { isChargeDisputed } from '../../card-payments/processor/store.disputes.ts'
import { requireWithinMaxCredits } from '../max-credits.ts'
import { insertTopupRefund } from './store.refunds.ts'
import { updateTopupRefundedCredits, findTopup } from './store.topups.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

export interface TopupRefundRequest {
  readonly topup_id: string
  /** Default: everything that is refundable. */
  readonly credits?: number | null
  readonly reason?: string | null
  /** The most that the caller wants to refund. */
  readonly max_credits?: number | null
}

/**
 * Reverses unspent credits of one top-up, to be refunded to its card; returns the id of the refund. Throws `not-found`,
 * `invalid-state` for more credits than are refundable, for an unpaid top-up and while the charge is disputed, or
 * `spend-limit-exceeded`.
 */
export async function startTopupRefund(tx: Tx, actor: Actor, request: TopupRefundRequest): Promise<string> {
  const { organization } = actor
  const ledger = await openLedgerSession(tx, actor)
  const topup = await findTopup(tx, organization, request.topup_id)
  if (!topup) throw new Problem('not-found', `No top-up has the id "${request.topup_id}".`)
  if (await isChargeDisputed(tx, organization, topup.intent)) {
    throw new Problem('invalid-state', 'The charge is disputed and cannot be refunded until the bank has decided.')
  }
  const unspent = ledger.lots.find((lot) => lot.id === topup.lot_id)?.available_credits ?? 0
  const refundable_credits = Math.min(unspent, topup.credits - topup.refunded_credits)
  const credits = request.credits ?? refundable_credits
  if (credits > refundable_credits || credits === 0) {
    const detail = `Only ${refundable_credits} unspent credits of this top-up can be refunded.`
    throw new Problem('invalid-state', detail, { refundable_credits })
  }
  requireWithinMaxCredits(credits, request.max_credits)
  const id = newId()
  const { entry_id } = reverseCredits(ledger, {
    kind: 'refund',
    amount_credits: credits,
    firstLotId: topup.lot_id,
    onlyFirstLot: true,
    reference: { type: 'refund', id },
    note: request.reason ?? null,
  })
  assertInvariant(entry_id, 'the credits that were counted as refundable were reversed')
  await flushLedgerSession(ledger)
  const { id: requested_by } = actor.principal
  const row = { id, topup_id: topup.id, credits, entry_id, reason: request.reason ?? null, requested_by }
  await insertTopupRefund(tx, organization, { ...row, created_at: ledger.now })
  await updateTopupRefundedCredits(tx, organization, topup.id, credits)
  await actor.queue.enqueue(tx, backgroundTaskTypes.sendRefund, { organization_id: organization, refund_id: id })
  return id
}
