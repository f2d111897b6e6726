import type { OrderTransitionName } from '@swath/contract/lifecycles.ts'
import { orderLifecycle } from '@swath/contract/lifecycles.ts'
import type { Tx } from '../../platform/database/database.ts'
import { HostRefusal } from '../../platform/integrations/imagery-host.ts'
import type { Actor } from '../../engine/actor.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { emitEvent } from '../events/emit.ts'
import { updateOrderStatus, type OrderRow } from './store.ts'

export interface OrderFailure {
  readonly code: string
  readonly text: string
}

/** The failure in a sentence that the customer may read; system errors with internal paths are hidden. */
export function toOrderFailure(error: unknown, code: string): OrderFailure {
  if (error instanceof HostRefusal) return { code: 'host-refused', text: error.message }
  const isInternal = !(error instanceof Error) || 'syscall' in error || 'code' in error
  return { code, text: isInternal ? 'The imagery could not be imported.' : error.message.slice(0, 500) }
}

/** The details of an order event beside the transition. */
export interface OrderEventDetails {
  readonly captured?: number
  readonly refunded?: number
  readonly reason?: OrderFailure
  readonly newItemCount?: number
}

/**
 * Applies a transition of an order and emits its event; null, with nothing written, if the table does not allow it.
 * `at`: the time of what the same transaction writes with it; by default now.
 */
export async function transitionOrder(
  tx: Tx,
  actor: Actor,
  {
    id,
    move,
    details = {},
    at = actor.clock.now(),
  }: {
    readonly id: string
    readonly move: OrderTransitionName
    readonly details?: OrderEventDetails
    readonly at?: OrganizationTime
  },
): Promise<OrderRow | null> {
  const row = await updateOrderStatus(tx, actor.organization, id, {
    move,
    at,
    actor: actor.principal.kind === 'service' ? null : actor.principal.id,
    ...(details.reason ? { reason: details.reason } : {}),
  })
  const { emits } = orderLifecycle.transitions[move]
  if (row && emits)
    await emitOrderEvent(tx, actor, { order: row, kind: emits, from: row.previous_status, to: row.status, details })
  return row
}

export async function emitOrderEvent(
  tx: Tx,
  actor: Actor,
  {
    order,
    kind,
    from,
    to,
    details,
  }: {
    readonly order: Pick<OrderRow, 'id' | 'project_id'>
    readonly kind: NonNullable<(typeof orderLifecycle.transitions)[OrderTransitionName]['emits']>
    readonly from: string | null
    readonly to: string
    readonly details: OrderEventDetails
  },
): Promise<void> {
  await emitEvent(tx, actor, {
    kind,
    entity_type: 'order',
    entity_id: order.id,
    project_id: order.project_id,
    data: {
      fromStatus: from,
      toStatus: to,
      creditsCaptured: details.captured ?? 0,
      creditsRefunded: details.refunded ?? 0,
      failureReason: details.reason?.text ?? null,
      ...(details.newItemCount === undefined ? {} : { newItemCount: details.newItemCount }),
    },
  })
}
