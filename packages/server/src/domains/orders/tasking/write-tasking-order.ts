import { limits } from '@swath/contract/limits.ts'
import type { TaskingTransitionName } from '@swath/contract/lifecycles.ts'
import type { Call } from '../../../engine/call.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { shiftTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { TaskingWorkflow } from '../../../platform/integrations/tasking-host.ts'
import type { PaymentReservation } from '../../billing/payment.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { emitOrderEvent } from '../order-transitions.ts'
import { consumeOrderQuote } from '../price-lock.ts'
import { insertOrder, insertOrderStatusChange, updateOrderNextPollAt, type OrderRow } from '../store.ts'
import { insertTaskingOrderArea, type TaskingOrderAreaRow } from './store.order-areas.ts'
import { transitionSubStatus } from './sub-status.ts'
import type { PricedHostTask } from './task-requests.ts'
import { computeTaskingCancelTerms, toPriceGroups } from './task-terms.ts'

/** A tasking order to write. */
export interface NewTaskingOrder {
  readonly project: string
  readonly workflow: TaskingWorkflow
  readonly tasks: readonly PricedHostTask[]
  readonly groups: readonly Omit<TaskingOrderAreaRow, 'order_id'>[]
  /** The stored quote that the order uses up. */
  readonly quote_id: string | null
  readonly display_name: string
  readonly tags: readonly string[]
}

interface OrderPayment {
  readonly id: string
  /** Null while no price is accepted. */
  readonly payment: PaymentReservation | null
}

const firstMoves: Readonly<Record<TaskingWorkflow, TaskingTransitionName>> = {
  direct: 'accept_price',
  study: 'request_study',
  quotation: 'request_quotation',
}

/** A study whose task is lost is requested again after this. */
const study_retry_ms = 60_000

/** Writes an order with its areas, its events and its task, in the transaction of its hold if it has one. */
export async function writeTaskingOrder(
  tx: Tx,
  call: Call,
  draft: NewTaskingOrder,
  { id, payment }: OrderPayment,
): Promise<OrderRow> {
  await lockOpenProject(tx, call, draft.project)
  const row = await insertOrder(tx, newTaskingOrder(call, draft, { id, payment }))
  if (draft.quote_id !== null) await consumeOrderQuote(tx, call, draft.quote_id, id)
  const groups = draft.groups.map((group) => ({ ...group, order_id: id, credits: payment ? group.credits : 0 }))
  for (const group of groups) await insertTaskingOrderArea(tx, call.organization, group)
  await insertOrderStatusChange(tx, call.organization, id, {
    from: null,
    to: 'CREATED',
    at: row.created_at,
    actor: call.principal.id,
  })
  await emitOrderEvent(tx, call, { order: row, kind: 'order.created', from: null, to: 'CREATED', details: {} })
  await transitionSubStatus(tx, call, { order_id: id, move: firstMoves[draft.workflow] })
  await enqueueNextTask(tx, call, draft, id)
  return row
}

async function enqueueNextTask(tx: Tx, call: Call, { workflow, tasks }: NewTaskingOrder, id: string): Promise<void> {
  const payload = { organization_id: call.organization, order_id: id }
  const options = { singleton_key: id }
  if (workflow === 'direct') await call.queue.enqueue(tx, backgroundTaskTypes.placeWithHost, payload, options)
  if (workflow !== 'study' || !tasks[0]?.offer.tasking.requestStudy) return
  await updateOrderNextPollAt(tx, call.organization, id, shiftTime(call.clock.now(), study_retry_ms))
  await call.queue.enqueue(tx, backgroundTaskTypes.requestStudy, payload, options)
}

function newTaskingOrder(call: Call, draft: NewTaskingOrder, { id, payment }: OrderPayment): OrderRow {
  const now = call.clock.now()
  const groups = draft.groups.map((group) => ({ ...group, credits: payment ? group.credits : 0 }))
  const total_credits = groups.reduce((sum, { credits }) => sum + credits, 0)
  const ids = new Set(draft.tasks.map(({ offer }) => offer.id))
  const [first] = draft.tasks
  return {
    organization_id: call.organization,
    id,
    project_id: draft.project,
    collection_id: null,
    type: 'tasking',
    status: 'CREATED',
    sub_status: null,
    display_name:
      draft.display_name ||
      `Tasking ${now.toISOString().slice(0, 10)} ${first!.offer.product.title}`.slice(0, limits.max_name_length),
    tags: draft.tags,
    licence_type: first!.price.licences[0] ?? null,
    data_product_id: ids.size === 1 ? first!.offer.id : null,
    billing_mode: payment?.billing_mode ?? 'credit',
    hold_id: payment?.hold_id ?? null,
    total_credits,
    captured_credits: 0,
    refunded_credits: 0,
    groups: toPriceGroups(groups),
    fulfillment: null,
    failure_code: null,
    failure_text: null,
    ...computeTaskingCancelTerms(groups),
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
}
