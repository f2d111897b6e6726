import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { closeOrderWithoutDelivery } from '../close-order.ts'
import { findOrder, lockOrder, updateOrderNextPollAt, type OrderRow } from '../store.ts'
import {
  insertQuotation,
  insertFeasibilityStudy,
  listOpenTaskingDecisions,
  updateQuotationStatus,
  type QuotationRow,
  type FeasibilityStudyRow,
} from './store.decisions.ts'
import { transitionSubStatus } from './sub-status.ts'

/** The last moment of a decision: the named one, or a week from now. Throws `invalid-state` for one that is past. */
function toDecideBy(actor: Actor, decide_by: Date | null): Date {
  const now = actor.clock.now()
  if (decide_by === null) return new Date(now.getTime() + limits.tasking_decision_days * day_ms)
  if (decide_by <= now) throw new Problem('invalid-state', 'The time for the decision is over already.')
  return decide_by
}

const wrongState = (order: OrderRow): Problem =>
  new Problem('invalid-state', `The order is ${order.status} with the sub-status ${order.sub_status}.`)

/** A tasking order, locked until the transaction ends. Throws `not-found`, or `invalid-state` for a closed one. */
export async function lockTaskingOrder(tx: Tx, organization: string, id: string): Promise<OrderRow> {
  await lockOrder(tx, organization, id)
  const order = await findOrder(tx, organization, id)
  if (order?.type !== 'tasking') throw new Problem('not-found', `No tasking order has the id "${id}".`)
  return order
}

/** Answers the study of an order with options. Throws `invalid-state` unless the order waits for it. */
export async function answerFeasibilityStudy(
  tx: Tx,
  actor: Actor,
  answer: {
    readonly order_id: string
    readonly type: FeasibilityStudyRow['type']
    readonly options: FeasibilityStudyRow['options']
    readonly decide_by: Date | null
  },
): Promise<FeasibilityStudyRow> {
  const order = await lockTaskingOrder(tx, actor.organization, answer.order_id)
  const id = newId()
  const decide_by = toDecideBy(actor, answer.decide_by)
  const data = { studyId: id, decideBy: decide_by.toISOString() }
  if (
    order.status !== 'CREATED' ||
    !(await transitionSubStatus(tx, actor, { order_id: order.id, move: 'answer_study', data }))
  )
    throw wrongState(order)
  const { type, options } = answer
  const study = await insertFeasibilityStudy(tx, actor.organization, {
    id,
    order_id: order.id,
    project_id: order.project_id,
    type,
    options,
    decide_by,
    now: actor.clock.now(),
  })
  await updateOrderNextPollAt(tx, actor.organization, order.id, null)
  return study
}

/** Ends an order that no satellite can acquire. Throws `invalid-state` unless it waits for its study. */
export async function rejectFeasibility(tx: Tx, actor: Actor, order_id: string, text: string): Promise<void> {
  const order = await lockTaskingOrder(tx, actor.organization, order_id)
  const reason = { code: 'not_feasible', text }
  const isRejected =
    order.status === 'CREATED' &&
    (await transitionSubStatus(tx, actor, { order_id, move: 'reject_feasibility', reason }))
  if (!isRejected) throw wrongState(order)
  await closeOrderWithoutDelivery(tx, actor, { order, move: 'end_unpriced', reason })
}

/** Offers a price; an earlier offer that is not decided is superseded. Throws `invalid-state` unless the order waits for one. */
export async function offerTaskingQuotation(
  tx: Tx,
  actor: Actor,
  offer: { readonly order_id: string; readonly credits_price: number; readonly decide_by: Date | null },
): Promise<QuotationRow> {
  const { order_id, credits_price } = offer
  const order = await lockTaskingOrder(tx, actor.organization, order_id)
  const id = newId()
  const now = actor.clock.now()
  const decide_by = toDecideBy(actor, offer.decide_by)
  const move = order.sub_status === 'QUOTATION_WAITING_RESPONSE' ? 'supersede_quotation' : 'offer_quotation'
  const data = { quotationId: id, creditsPrice: credits_price, decideBy: decide_by.toISOString() }
  if (order.status !== 'CREATED' || !(await transitionSubStatus(tx, actor, { order_id, move, data })))
    throw wrongState(order)
  for (const open of await listOpenTaskingDecisions(tx, actor.organization, order_id)) {
    const change = { move: 'supersede', now, by: actor.principal.id } as const
    if (open.kind === 'quotation') await updateQuotationStatus(tx, actor.organization, open.id, change)
  }
  const { project_id } = order
  return insertQuotation(tx, actor.organization, { id, order_id, project_id, credits_price, decide_by, now })
}
