import { readTaskingHostEnvironment } from '../../../platform/sandbox/host-environment.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { HostRefusal } from '../../../platform/integrations/imagery-host.ts'
import { callHost } from '../../catalog/hosts.ts'
import type { OrderRow } from '../store.ts'
import { findHostRefusal } from '../withdraw-from-hosts.ts'
import { lockTaskingOrder } from './offer-decisions.ts'
import { isOpenTaskingArea } from './poll-tasks.ts'
import { requireTaskingHost } from './require-tasking-host.ts'
import { listOpenTaskingDecisions, updateQuotationStatus, updateFeasibilityStudyStatus } from './store.decisions.ts'
import { listTaskingOrderAreas } from './store.order-areas.ts'
import { transitionSubStatus } from './sub-status.ts'

/**
 * Asks the hosts of an accepted order to cancel its tasks, before it is closed. Throws `invalid-state` if a host refuses,
 * and `upstream` if it does not respond.
 */
export async function withdrawHostTasks(call: Call, order: OrderRow): Promise<void> {
  const groups = await listTaskingOrderAreas(call.db, call.organization, [order.id])
  for (const { host: name, reference } of groups.filter(isOpenTaskingArea)) {
    if (reference === null) continue
    try {
      const { host, tasking } = requireTaskingHost(call.integrations, name)
      const world = await readTaskingHostEnvironment(call.db, call.clock)
      await callHost(host, tasking.cancelTask(world, reference, call.signal))
    } catch (error) {
      const refusal = error instanceof HostRefusal ? error : findHostRefusal(error)
      if (!refusal) throw error
      throw new Problem('invalid-state', `The host refuses the cancellation: ${refusal.message}`)
    }
  }
}

/**
 * Ends the open decisions of an order that is cancelled: a study is withdrawn, a quotation rejected. Returns the order as
 * it is, with its row locked.
 */
export async function withdrawTaskingDecisions(tx: Tx, actor: Actor, { id: order_id }: OrderRow): Promise<OrderRow> {
  const order = await lockTaskingOrder(tx, actor.organization, order_id)
  const change = { now: actor.clock.now(), by: actor.principal.id }
  for (const { kind, id } of await listOpenTaskingDecisions(tx, actor.organization, order_id)) {
    if (kind === 'quotation') await updateQuotationStatus(tx, actor.organization, id, { ...change, move: 'reject' })
    else await updateFeasibilityStudyStatus(tx, actor.organization, id, { ...change, move: 'withdraw' })
  }
  if (order.status !== 'CREATED') return order
  const move = order.sub_status === 'QUOTATION_WAITING_RESPONSE' ? 'reject_quotation' : 'withdraw'
  await transitionSubStatus(tx, actor, { order_id, move })
  return order
}
