import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../../engine/call.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { HostOpportunity } from '../../../platform/integrations/tasking-host.ts'
import { runWithReservedPayments } from '../../billing/payment.ts'
import { requireAcceptedEulas } from '../../eulas/required-eulas.ts'
import type { OrderRow } from '../store.ts'
import { chooseHostTaskPasses, priceHostTaskForPass } from './choose-passes.ts'
import type { TaskingOrderAreaRow } from './store.order-areas.ts'
import type { PricedHostTask } from './task-requests.ts'
import { computeHoldLifetime_days, toHostTaskChargeLines } from './task-terms.ts'
import { writeTaskingOrder, type NewTaskingOrder } from './write-tasking-order.ts'

/** A task with the pass that acquires it; null without a known price. */
export interface TaskWithPass {
  readonly task: PricedHostTask
  readonly pass: HostOpportunity | null
}

/** An order to place: all of its tasks have the same workflow. */
export interface TaskingDraft {
  readonly tasks: readonly TaskWithPass[]
  /** The stored quote that the order uses up. */
  readonly quote_id: string | null
  readonly display_name: string
  readonly tags: readonly string[]
}

/** A task at the price of the pass that acquires it. */
export const toTaskWithPass = (task: PricedHostTask, pass: HostOpportunity): TaskWithPass => ({
  task: priceHostTaskForPass(task, pass),
  pass,
})

/** Tasks with the passes that acquire them, at the prices of these; a quote keeps its own. Throws what `chooseHostTaskPasses` throws. */
export async function assignPasses(
  call: Call,
  tasks: readonly PricedHostTask[],
  { isQuoted }: { readonly isQuoted: boolean },
): Promise<TaskWithPass[]> {
  const passes = await chooseHostTaskPasses(call, tasks)
  return tasks.map((task, at) => (isQuoted ? { task, pass: passes[at]! } : toTaskWithPass(task, passes[at]!)))
}

/** Before hosts are asked for passes. Throws `eula-not-accepted`. */
export const requireAcceptedTaskEulas = (call: Call, tasks: readonly PricedHostTask[]): Promise<void> =>
  requireAcceptedEulas(
    call,
    tasks.map(({ offer: { host, product } }) => ({ host, collection: product })),
  )

export const toTasksWithoutPass = (tasks: readonly PricedHostTask[]): TaskWithPass[] =>
  tasks.map((task) => ({ task, pass: null }))

/**
 * Places tasking orders, all of them or none, in one transaction. A known price is held with its order; orders that wait for a study or
 * a quotation hold nothing. Throws what `runWithReservedPayments` throws; then nothing was written.
 */
export async function placeTaskingDrafts(
  call: Call,
  {
    project,
    drafts,
    max_credits,
    toRecoveryData,
  }: {
    readonly project: string
    readonly drafts: readonly TaskingDraft[]
    readonly max_credits: number | null | undefined
    /** The data that a repeated call needs if this one is killed after the transaction. */
    readonly toRecoveryData: (ids: readonly string[]) => Readonly<Record<string, unknown>>
  },
): Promise<OrderRow[]> {
  const orders = drafts.map((draft) => toNewOrder(project, draft))
  const write = async (tx: Tx, toPayment: (index: number) => Parameters<typeof writeTaskingOrder>[3]) => {
    const rows: OrderRow[] = []
    for (const [index, order] of orders.entries()) rows.push(await writeTaskingOrder(tx, call, order, toPayment(index)))
    await call.claim?.checkpoint(tx, 'reserved', toRecoveryData(rows.map(({ id }) => id)))
    return rows
  }
  if (orders[0]?.workflow !== 'direct')
    return call.transaction((tx) => write(tx, () => ({ id: newId(), payment: null })))
  const requests = orders.map((order) => toPaymentRequest(call, order))
  return runWithReservedPayments(call, { requests, max_credits }, (tx, payments) =>
    write(tx, (index) => ({ id: payments[index]!.reference.id, payment: payments[index]! })),
  )
}

function toNewOrder(project: string, { tasks, ...draft }: TaskingDraft): NewTaskingOrder {
  const [first] = tasks
  assertInvariant(first, 'an order has at least one task')
  return {
    ...draft,
    project,
    workflow: first.task.offer.product.workflow,
    tasks: tasks.map(({ task }) => task),
    groups: tasks.map(toGroupRow),
  }
}

function toPaymentRequest(call: Call, { groups }: NewTaskingOrder) {
  const now = call.clock.now()
  return {
    amount_credits: groups.reduce((sum, { credits }) => sum + credits, 0),
    subject: 'order',
    lines: toHostTaskChargeLines(groups, now.toISOString().slice(0, 10)),
    lifetime_days: computeHoldLifetime_days(groups, now),
  }
}

function toGroupRow({ task, pass }: TaskWithPass, at: number): Omit<TaskingOrderAreaRow, 'order_id'> {
  const { hours_before_acquisition, fee_pct } = task.offer.product.cancel_policy
  return {
    id: newId(),
    position: at + 1,
    name: task.name?.slice(0, limits.max_name_length) ?? null,
    host: task.offer.host.name,
    product: task.offer.product.id,
    geometry: task.geometry,
    constraints: task.constraints,
    area_km2: task.area_km2,
    price: task.price,
    list_price: task.list_price,
    commitment_id: task.commitment_id,
    credits: task.credits,
    cancel_hours: hours_before_acquisition,
    cancel_fee_pct: fee_pct,
    item_id: newId(),
    reference: null,
    stage: 'waiting',
    planned_at: pass?.from ?? null,
    collects: [],
    failure_code: null,
    failure_text: null,
    ended_at: null,
  }
}
