import { invariant } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emit } from '../events/emit.ts'
import { lockBooks } from '../ledger/books.ts'
import { expire, findHold } from '../ledger/holds.ts'
import { expireDueLots, findLot } from '../ledger/ledger.ts'
import { cardData, findCard } from '../payment_methods/cards.ts'
import { giveUp } from './cards/authorise.ts'
import type { Issuer } from './documents/issue-document.ts'
import { endMonth } from './months/month-end.ts'
import { renewCardTask } from './cards/renew-card.task.ts'
import { finishCard } from './spend.ts'
import { decideApproval } from './topups/store.approvals.ts'
import { putDeadline, takeDeadline, type DeadlineRow } from './store.deadlines.ts'
import { closeLater } from './topups/topup.ts'

/** Handles a due deadline of one subject, in the transaction that deletes the deadline. */
export type DeadlineHandler = (tx: Tx, actor: Issuer, subject: string) => Promise<void>

const grace_ms = 3_600_000

/** Emits `hold.ending`; the owner of the hold has an hour to stop the work and settle what was delivered. */
const announceEnding: DeadlineHandler = async (tx, actor, hold_id) => {
  const held = await findHold(tx, actor.organization, hold_id)
  if (!held || held.outcome !== null) return
  const now = actor.clock.now()
  await putDeadline(tx, actor.organization, 'hold-expiry', hold_id, new Date(now.getTime() + grace_ms))
  const data = { reference_type: held.reference_type, reason: 'The hold has expired.' }
  await emit(tx, actor, { kind: 'hold.ending', entity_type: held.reference_type, entity_id: held.reference_id, data })
}

/** Expires a hold that its owner did not resolve; nothing is charged. */
const expireHold: DeadlineHandler = async (tx, actor, hold_id) => {
  const held = await findHold(tx, actor.organization, hold_id)
  if (!held || held.outcome !== null) return
  await finishCard(tx, actor, await expire(tx, actor, hold_id), 0)
  const data = { hold_id, amount_credits: held.amount_credits }
  await emit(tx, actor, { kind: 'hold.expired', entity_type: held.reference_type, entity_id: held.reference_id, data })
}

const expireLot: DeadlineHandler = async (tx, actor) => {
  await expireDueLots(tx, actor)
}

/** Emits `credits.expiring` once per lot that has available credits. */
const warnOfLot: DeadlineHandler = async (tx, actor, lot_id) => {
  const lot = await findLot(tx, actor.organization, lot_id)
  if (!lot || lot.available_credits === 0) return
  const { available_credits, expires_at } = lot
  const data = { available_credits, expires_at: expires_at?.toISOString() ?? null, kind: lot.kind }
  await emit(tx, actor, { kind: 'credits.expiring', entity_type: 'lot', entity_id: lot_id, data })
}

const renewCard: DeadlineHandler = (tx, actor, authorisation_id) =>
  actor.queue.enqueue(tx, renewCardTask, { organization_id: actor.organization, authorisation_id })

const warnOfCard: DeadlineHandler = async (tx, actor, card_id) => {
  const card = await findCard(tx, actor.organization, card_id)
  if (!card || card.detached_at !== null) return
  const data = cardData(card)
  await emit(tx, actor, { kind: 'payment_method.expiring', entity_type: 'payment_method', entity_id: card_id, data })
}

const expireApproval: DeadlineHandler = (tx, actor, approval_id) => {
  const now = actor.clock.now()
  return decideApproval(tx, actor.organization, approval_id, { status: 'expired', by: null }, now)
}

/** Deadline handlers by kind. */
export const deadlineHandlers: Readonly<Record<string, DeadlineHandler>> = {
  'hold-ending': announceEnding,
  'hold-expiry': expireHold,
  'lot-expiry': expireLot,
  'lot-warning': warnOfLot,
  'authorisation-abandoned': giveUp,
  'card-renewal': renewCard,
  'card-warning': warnOfCard,
  'topup-abandoned': closeLater,
  'month-end': endMonth,
  'approval-expiry': expireApproval,
}

/**
 * Deletes a deadline and handles it if it is still due; returns whether it was. Locks the ledger first, as every step
 * that resolves a hold does, to prevent deadlocks.
 */
export async function meetDeadline(tx: Tx, actor: Issuer, row: DeadlineRow, now: OrganizationTime): Promise<boolean> {
  const handler = deadlineHandlers[row.kind]
  invariant(handler, `no handler for deadlines of kind ${row.kind}`)
  await lockBooks(tx, actor.organization)
  if (!(await takeDeadline(tx, row, now))) return false
  await handler(tx, actor, row.subject_id)
  return true
}
