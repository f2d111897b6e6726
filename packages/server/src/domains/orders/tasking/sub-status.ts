import { taskingLifecycle, type TaskingStatus, type TaskingTransitionName } from '@swath/contract/lifecycles.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitEvent } from '../../events/emit.ts'
import type { OrderFailure } from '../order-transitions.ts'
import { lockOrderSubStatus, updateOrderSubStatus } from './store.sub-status.ts'

/** Applies a transition of the sub-status and emits its event; false, with nothing written, if the table does not allow it. */
export async function transitionSubStatus(
  tx: Tx,
  actor: Actor,
  {
    order_id,
    move,
    reason = null,
    data = {},
  }: {
    readonly order_id: string
    readonly move: TaskingTransitionName
    readonly reason?: OrderFailure | null
    /** Members of the event beside the transition. */
    readonly data?: Readonly<Record<string, unknown>>
  },
): Promise<boolean> {
  const { from, to, emits } = taskingLifecycle.transitions[move]
  const current = await lockOrderSubStatus(tx, actor.organization, order_id)
  if (!(from === null ? current === null : current !== null && from.includes(current))) return false
  await updateOrderSubStatus(tx, actor.organization, order_id, {
    at: actor.clock.now(),
    from_sub_status: current,
    to_sub_status: to,
    reason_code: reason?.code ?? null,
    reason_text: reason?.text ?? null,
    actor: actor.principal.kind === 'service' ? null : actor.principal.id,
  })
  if (emits)
    await emitEvent(tx, actor, {
      kind: emits,
      entity_type: 'order',
      entity_id: order_id,
      data: { fromSubStatus: current, toSubStatus: to, reasonCode: reason?.code ?? null, ...data },
    })
  return true
}

/** The sub-statuses of an acquisition, each with the transition that leads to it. */
const acquisitionSteps = [
  ['QUOTATION_ACCEPTED', null],
  ['SCHEDULED', 'schedule'],
  ['TASKED', 'task'],
  ['COLLECTED', 'collect'],
  ['DOWNLINKED', 'downlink'],
  ['PROCESSING', 'process'],
  ['DELIVERING', 'deliver'],
] as const satisfies readonly (readonly [TaskingStatus, TaskingTransitionName | null])[]

const stepOf = (status: TaskingStatus): number => acquisitionSteps.findIndex(([name]) => name === status)

/** The transitions after one step up to another. */
const movesBetween = (from: number, to: number): TaskingTransitionName[] =>
  acquisitionSteps.slice(from + 1, Math.max(from, to) + 1).flatMap(([, move]) => move ?? [])

const collectedStep = stepOf('COLLECTED')
const scheduledStep = stepOf('SCHEDULED')

/**
 * The transitions from a sub-status of the acquisition to another one, through all in between, which a host may have
 * passed since the last poll. `isReplanned`: a collection in between did not satisfy the constraints.
 */
export function planSubStatusTransitions(
  current: TaskingStatus,
  target: TaskingStatus,
  isReplanned: boolean,
): TaskingTransitionName[] {
  const [from, to] = [stepOf(current), stepOf(target)]
  if (from === -1 || to === -1 || current === 'DELIVERING') return []
  const goesBack = to < from && from >= collectedStep
  if (!isReplanned && !goesBack) return movesBetween(from, to)
  return [...movesBetween(from, collectedStep), 'replan', ...movesBetween(scheduledStep, to)]
}
