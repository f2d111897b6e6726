import { readTaskingHostEnvironment } from '../../../platform/sandbox/host-environment.ts'
import type { TaskingStatus } from '@swath/contract/lifecycles.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { TaskContext } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { HostRefusal, type ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { hostTaskStages, type HostTaskStatus, type HostTaskStage } from '../../../platform/integrations/tasking-host.ts'
import { recordProvenance } from '../../provenance/record-provenance.ts'
import type { OrderFailure } from '../order-transitions.ts'
import { lockOrder, type OrderRow } from '../store.ts'
import { requireTaskingHost } from './require-tasking-host.ts'
import {
  markTaskingOrderAreaEnded,
  insertAcquiredCapture,
  listTaskingOrderAreas,
  updateOrderCancelDeadline,
  updateHostTaskStage,
  type TaskingOrderAreaRow,
} from './store.order-areas.ts'
import { lockOrderSubStatus } from './store.sub-status.ts'
import { planSubStatusTransitions, transitionSubStatus } from './sub-status.ts'
import { computeTaskingCancelTerms } from './task-terms.ts'

/** The sub-status of an order whose task is at a stage. */
export const subStatusByHostTaskStage: Readonly<Record<HostTaskStage, TaskingStatus>> = {
  accepted: 'QUOTATION_ACCEPTED',
  scheduled: 'SCHEDULED',
  tasked: 'TASKED',
  collected: 'COLLECTED',
  downlinked: 'DOWNLINKED',
  processing: 'PROCESSING',
  ready: 'DELIVERING',
}

/** True for an area from which something is still to come. */
export const isOpenTaskingArea = ({ ended_at }: Pick<TaskingOrderAreaRow, 'ended_at'>): boolean => ended_at === null

/** A host that names no time is polled again after this. */
const default_poll_ms = 300_000
/** A host that has delivered nothing so long after the end of the window has failed. */
const overdue_ms = 7 * 86_400_000

/** Asks the host of each open task for its stage and records it; returns in how many milliseconds to ask again. */
export async function pollHostTasks(context: TaskContext, actor: Actor, order: OrderRow): Promise<number> {
  const db = context.database.forOrganization(order.organization_id)
  let next_ms = Number.POSITIVE_INFINITY
  for (const group of await listTaskingOrderAreas(db, order.organization_id, [order.id])) {
    // A ready task is not polled: it waits for its import.
    if (!isOpenTaskingArea(group)) continue
    const status = group.stage === 'ready' ? null : await readStatus(context, actor, group)
    if (status) await db.transaction((tx) => applyStatus(tx, actor, { order, group, status }))
    const change_at = status?.status?.next_change_at ?? null
    next_ms = Math.min(next_ms, change_at ? change_at.getTime() - actor.clock.now().getTime() : default_poll_ms)
  }
  await db.transaction((tx) => applyHostTaskSubStatus(tx, actor, order))
  return Number.isFinite(next_ms) ? next_ms : default_poll_ms
}

interface PolledStatus {
  readonly host: ImageryHost | null
  readonly status: HostTaskStatus | null
  readonly failure: OrderFailure | null
}

/** Reads the status of a task from its host; null if it does not respond. */
async function readStatus(
  context: TaskContext,
  actor: Actor,
  group: TaskingOrderAreaRow,
): Promise<PolledStatus | null> {
  const isOverdue = actor.clock.now().getTime() > Date.parse(group.constraints.to) + overdue_ms
  try {
    const { host, tasking } = requireTaskingHost(context.integrations, group.host)
    const world = await readTaskingHostEnvironment(context.database.forOrganization(actor.organization), actor.clock)
    const status = await tasking.taskStatus(world, group.reference ?? '', context.signal)
    return { host, status, failure: findFailure(status) ?? (isOverdue ? overdue : null) }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof HostRefusal)
      return { host: null, status: null, failure: { code: error.reason_code ?? 'host-refused', text: error.message } }
    context.log.warn({ order: group.order_id, task: group.id, error }, 'the host of a task did not respond')
    return isOverdue ? { host: null, status: null, failure: overdue } : null
  }
}

const overdue: OrderFailure = { code: 'host-timeout', text: 'The host did not deliver in time.' }

const isStage = (stage: string): stage is HostTaskStage => (hostTaskStages as readonly string[]).includes(stage)

function findFailure({ stage, reason_code, reason }: HostTaskStatus): OrderFailure | null {
  if (isStage(stage)) return null
  return { code: reason_code ?? stage, text: (reason ?? `The host ended the task: ${stage}.`).slice(0, 500) }
}

interface TaskChange {
  readonly order: OrderRow
  readonly group: TaskingOrderAreaRow
  readonly status: PolledStatus
}

async function applyStatus(tx: Tx, actor: Actor, { order, group, status: polled }: TaskChange): Promise<void> {
  const { host, status, failure } = polled
  // An order that was closed meanwhile is left as it is.
  const orderStatus = await lockOrder(tx, actor.organization, order.id)
  if (orderStatus !== 'PLACED' && orderStatus !== 'BEING_FULFILLED') return
  if (status) {
    await updateHostTaskStage(tx, actor.organization, group.id, {
      stage: status.stage,
      collects: status.collects,
      planned_at: status.collects.at(-1)?.at ?? group.planned_at,
    })
    if (status.stage === 'ready' && status.scene && host)
      await acquireScene(tx, actor, { group, host, scene: status.scene })
  }
  if (failure) await markTaskingOrderAreaEnded(tx, actor.organization, group.id, { failure, now: actor.clock.now() })
  if (countRejected(status?.collects ?? []) > countRejected(group.collects) && !failure)
    await applyReplan(tx, actor, order.id, status!)
}

const countRejected = (collects: readonly { readonly accepted: boolean | null }[]): number =>
  collects.filter(({ accepted }) => accepted === false).length

async function acquireScene(
  tx: Tx,
  actor: Actor,
  {
    group,
    host,
    scene,
  }: { group: TaskingOrderAreaRow; host: ImageryHost; scene: NonNullable<HostTaskStatus['scene']> },
): Promise<void> {
  const licence = group.price.licences[0] ?? host.license
  if (!(await insertAcquiredCapture(tx, actor.organization, group, { scene, licence }))) return
  await recordProvenance(tx, actor, [
    {
      relation: 'derived_from',
      src: { type: 'order', id: group.order_id },
      dst: { type: 'capture', id: `${host.name}:${scene.id}` },
    },
  ])
}

/** Records a collection that did not satisfy the constraints, and the plan of the next one. */
async function applyReplan(
  tx: Tx,
  actor: Actor,
  order_id: string,
  { reason_code, reason }: HostTaskStatus,
): Promise<void> {
  const failure = {
    code: reason_code ?? 'cloud_cover',
    text: reason ?? 'The collection did not satisfy the constraints.',
  }
  const current = await lockOrderSubStatus(tx, actor.organization, order_id)
  if (current === null) return
  for (const move of planSubStatusTransitions(current, 'SCHEDULED', true))
    await transitionSubStatus(tx, actor, { order_id, move, reason: move === 'replan' ? failure : null })
}

/** Moves the sub-status of an order to that of its least advanced task, and its cancellation deadline with the plan. */
export async function applyHostTaskSubStatus(tx: Tx, actor: Actor, order: OrderRow): Promise<void> {
  const orderStatus = await lockOrder(tx, actor.organization, order.id)
  if (orderStatus !== 'PLACED' && orderStatus !== 'BEING_FULFILLED') return
  const groups = await listTaskingOrderAreas(tx, actor.organization, [order.id])
  const steps = groups.filter(({ failure_code }) => failure_code === null).flatMap(({ stage }) => stageStep(stage))
  const current = await lockOrderSubStatus(tx, actor.organization, order.id)
  if (steps.length > 0 && current !== null) {
    const target = subStatusByHostTaskStage[hostTaskStages[Math.min(...steps)]!]
    for (const move of planSubStatusTransitions(current, target, false))
      await transitionSubStatus(tx, actor, { order_id: order.id, move })
  }
  const { cancel_by } = computeTaskingCancelTerms(groups.filter(isOpenTaskingArea))
  if (groups.some(isOpenTaskingArea)) await updateOrderCancelDeadline(tx, actor.organization, order.id, cancel_by)
}

const stageStep = (stage: TaskingOrderAreaRow['stage']): number[] =>
  isStage(stage) ? [hostTaskStages.indexOf(stage)] : []
