import { Compile } from 'typebox/compile'
import { events, type EventType } from '@swath/contract/events.ts'
import type { Call, Principal } from '../../engine/call.ts'
import { invariant } from '../../engine/problem.ts'
import type { OrganizationClock, OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { QueueProducer } from '../../platform/queue/queue.ts'
import { insertEvent, insertEvents } from './store.ts'

/** Who acts, when and in which call: the cause stored with every record. A `Call` is an Actor. */
export interface Actor {
  readonly organization: string
  readonly principal: Principal
  readonly clock: OrganizationClock
  readonly operation: string
  readonly requestId: string
  /** Notifies event handlers. */
  readonly queue: QueueProducer
  /** The idempotency key of the call, if it has one. */
  readonly claim?: { readonly key: string } | null
}

/** The caller as the actor in another organization, with the clock of that organization. */
export const actorInOrganization = (
  {
    principal,
    clocks,
    operation,
    requestId,
    queue,
  }: Pick<Call, 'principal' | 'clocks' | 'operation' | 'requestId' | 'queue'>,
  organization: string,
): Actor => ({ organization, principal, clock: clocks.forOrganization(organization), operation, requestId, queue })

export interface NewEvent {
  readonly kind: EventType
  readonly entity_type: string
  readonly entity_id: string
  readonly data: Readonly<Record<string, unknown>>
}

const dataValidators = new Map(Object.entries(events).map(([kind, row]) => [kind, Compile(row.data)]))

/**
 * Writes an event and one delivery per matching subscription, and notifies event handlers, in the transaction of the
 * change.
 */
export async function emitEvent(tx: Tx, actor: Actor, event: NewEvent): Promise<void> {
  invariant(dataValidators.get(event.kind)?.Check(event.data), `the data of ${event.kind} does not match its schema`)
  const context = eventContext(actor, event)
  await insertEvent(tx, { ...event, ...context, id: newId() })
  await publish(tx, actor, event, context.created_at)
}

/** Events per statement. */
const batch_size = 1000

/**
 * The same for many events of one kind about entities of one type, in statements of bounded size. Each event has its own
 * entity id and data.
 */
export async function emitEvents(
  tx: Tx,
  actor: Actor,
  { kind, entity_type }: Pick<NewEvent, 'kind' | 'entity_type'>,
  events: readonly Pick<NewEvent, 'entity_id' | 'data'>[],
): Promise<void> {
  const validator = dataValidators.get(kind)
  invariant(
    events.every(({ data }) => validator?.Check(data)),
    `the data of ${kind} does not match its schema`,
  )
  const context = eventContext(actor, { kind, entity_type })
  for (let at = 0; at < events.length; at += batch_size) {
    const chunk = events.slice(at, at + batch_size)
    await insertEvents(
      tx,
      context,
      chunk.map(({ entity_id, data }) => ({ id: newId(), entity_id, data })),
    )
    for (const { entity_id } of chunk) await publish(tx, actor, { kind, entity_type, entity_id }, context.created_at)
  }
}

const eventContext = (actor: Actor, { kind, entity_type }: Pick<NewEvent, 'kind' | 'entity_type'>) => ({
  kind,
  entity_type,
  organization_id: actor.organization,
  actor_kind: actor.principal.kind,
  actor_id: actor.principal.id,
  operation: actor.operation,
  request_id: actor.requestId,
  created_at: actor.clock.now(),
})

const publish = (
  tx: Tx,
  { organization, queue }: Actor,
  { kind, entity_type, entity_id }: Omit<NewEvent, 'data'>,
  at: OrganizationTime,
): Promise<void> => queue.publish(tx, kind, { organization_id: organization, entity_type, entity_id }, at)
