import { Compile } from 'typebox/compile'
import { events, type EventKind } from '@swath/contract/events.ts'
import type { Principal } from '../../engine/call.ts'
import { invariant } from '../../engine/problem.ts'
import type { OrganizationClock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { insertEvent } from './store.ts'

/** Who does something, when and in which call: what every record says about its cause. A `Call` is one. */
export interface Actor {
  readonly organization: string
  readonly principal: Principal
  readonly clock: OrganizationClock
  readonly operation: string
  readonly requestId: string
  /** Tells those who react to an event. */
  readonly queue: Queue
  /** The idempotency key of the call, where it has one. */
  readonly claim?: { readonly key: string } | null
}

export interface NewEvent {
  readonly kind: EventKind
  readonly entity_type: string
  readonly entity_id: string
  readonly data: Readonly<Record<string, unknown>>
}

const shapes = new Map(Object.entries(events).map(([kind, row]) => [kind, Compile(row.data)]))

/**
 * Writes an event, and one delivery for every subscription that asks for it, and wakes what reacts to it, in the
 * transaction of the change.
 */
export async function emit(tx: Tx, actor: Actor, event: NewEvent): Promise<void> {
  invariant(shapes.get(event.kind)?.Check(event.data), `the data of ${event.kind} does not fit its shape`)
  const created_at = actor.clock.now()
  await insertEvent(tx, {
    ...event,
    id: newId(),
    organization_id: actor.organization,
    actor_kind: actor.principal.kind,
    actor_id: actor.principal.id,
    operation: actor.operation,
    request_id: actor.requestId,
    created_at,
  })
  const { kind, entity_type, entity_id } = event
  await actor.queue.announce(tx, kind, { organization_id: actor.organization, entity_type, entity_id }, created_at)
}
