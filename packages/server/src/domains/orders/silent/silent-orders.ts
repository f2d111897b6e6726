import { orderLifecycle, type OrderStatus } from '@swath/contract/lifecycles.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { chooseOrderTaskType } from './order-task.ts'
import { stopOrderNow } from '../stop-order.ts'
import { findOrder, lockOrder } from '../store.ts'

const isClosed = (status: OrderStatus): boolean => orderLifecycle.terminal.includes(status)

/** Asks the hosts of an open order again at once. False if it is closed, or waits for an operator instead of a host. */
export async function pollOrderNow(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const order = await findOrder(tx, actor.organization, id)
  if (!order || isClosed(order.status) || order.sub_status === 'QUOTATION_WAITING_UPLOAD') return false
  const data = { organization_id: actor.organization, order_id: id }
  await actor.queue.enqueue(tx, chooseOrderTaskType(order), data, { singleton_key: id })
  return true
}

/** Ends an open order for an operator: delivered captures are charged. False if it is closed. */
export async function endOrderByOperator(tx: Tx, actor: Actor, id: string, reason: string): Promise<boolean> {
  const status = await lockOrder(tx, actor.organization, id)
  if (status === null || isClosed(status)) return false
  await stopOrderNow(tx, actor, id, { code: 'ended-by-operator', text: reason })
  return true
}
