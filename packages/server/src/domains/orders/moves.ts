import type { OrderMove } from '@swath/contract/lifecycles.ts'
import { orderLifecycle } from '@swath/contract/lifecycles.ts'
import type { Tx } from '../../platform/database/database.ts'
import { HostRefusal } from '../../platform/outside/imagery-host.ts'
import { emit, type Actor } from '../events/emit.ts'
import { moveOrder, type OrderRow } from './store.ts'

export interface Reason {
  readonly code: string
  readonly text: string
}

/** The failure in a sentence that the customer may read; system errors with internal paths are hidden. */
export function reasonOf(error: unknown, code: string): Reason {
  if (error instanceof HostRefusal) return { code: 'host-refused', text: error.message }
  const ours = !(error instanceof Error) || 'syscall' in error || 'code' in error
  return { code, text: ours ? 'The imagery could not be imported.' : error.message.slice(0, 500) }
}

/** The details of an order event beside the transition. */
export interface StepFacts {
  readonly captured?: number
  readonly refunded?: number
  readonly reason?: Reason
  readonly newItemCount?: number
}

/** Applies a transition of an order and emits its event; null, with nothing written, if the table does not allow it. */
export async function stepOrder(
  tx: Tx,
  actor: Actor,
  id: string,
  move: OrderMove,
  facts: StepFacts = {},
): Promise<OrderRow | null> {
  const row = await moveOrder(tx, actor.organization, id, {
    move,
    at: actor.clock.now(),
    actor: actor.principal.kind === 'service' ? null : actor.principal.id,
    ...(facts.reason ? { reason: facts.reason } : {}),
  })
  const { emits } = orderLifecycle.moves[move]
  if (row && emits) await emitStep(tx, actor, row.id, emits, row.previous_status, row.status, facts)
  return row
}

export async function emitStep(
  tx: Tx,
  actor: Actor,
  id: string,
  kind: NonNullable<(typeof orderLifecycle.moves)[OrderMove]['emits']>,
  from: string | null,
  to: string,
  facts: StepFacts,
): Promise<void> {
  await emit(tx, actor, {
    kind,
    entity_type: 'order',
    entity_id: id,
    data: {
      fromStatus: from,
      toStatus: to,
      creditsCaptured: facts.captured ?? 0,
      creditsRefunded: facts.refunded ?? 0,
      failureReason: facts.reason?.text ?? null,
      ...(facts.newItemCount === undefined ? {} : { newItemCount: facts.newItemCount }),
    },
  })
}
