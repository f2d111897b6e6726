import type { TaskingTransitionName } from '@swath/contract/lifecycles.ts'
import type { Actor } from '../../../engine/actor.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { OrderFailure } from '../order-transitions.ts'
import type { OrderRow } from '../store.ts'
import { closeTaskingOrder } from './fulfil-tasking-order.ts'
import { lockTaskingOrder } from './offer-decisions.ts'
import { isOpenTaskingArea } from './poll-tasks.ts'
import { markTaskingOrderAreaEnded, listTaskingOrderAreas } from './store.order-areas.ts'
import { transitionSubStatus } from './sub-status.ts'

export interface TaskingOrderTransition {
  readonly order_id: string
  readonly move:
    | Extract<TaskingTransitionName, 'schedule' | 'task' | 'collect' | 'replan' | 'downlink' | 'process'>
    | 'fail'
  readonly reason: OrderFailure
}

/** Records what an operator reports for a provider: the next stage, or a failure. Throws `invalid-state`. */
export async function transitionTaskingOrder(
  tx: Tx,
  actor: Actor,
  { order_id, move, reason }: TaskingOrderTransition,
): Promise<OrderRow> {
  const order = await lockTaskingOrder(tx, actor.organization, order_id)
  const isUnderWay = order.status === 'PLACED' || order.status === 'BEING_FULFILLED'
  const isMoved =
    isUnderWay &&
    (move === 'fail'
      ? await failOrder(tx, actor, order, reason)
      : await transitionSubStatus(tx, actor, { order_id, move, reason }))
  if (!isMoved)
    throw new Problem('invalid-state', `The order is ${order.status} with the sub-status ${order.sub_status}.`)
  return lockTaskingOrder(tx, actor.organization, order_id)
}

async function failOrder(tx: Tx, actor: Actor, order: OrderRow, failure: OrderFailure): Promise<true> {
  const now = actor.clock.now()
  for (const group of await listTaskingOrderAreas(tx, actor.organization, [order.id]))
    if (isOpenTaskingArea(group)) await markTaskingOrderAreaEnded(tx, actor.organization, group.id, { failure, now })
  await closeTaskingOrder(tx, actor, order)
  return true
}
