import { Compile } from 'typebox/compile'
import { eventDefinitions, type EventType } from '@swath/contract/events.ts'
import type { Actor } from '../../engine/actor.ts'
import { assertInvariant } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { eventChannels } from './event-channels.ts'
import { findProjectOfEntity, findProjectsOfEntities } from './store.projects.ts'
import { insertDomainEvent, insertEvents } from './store.ts'

export interface NewEvent {
  readonly kind: EventType
  readonly entity_type: string
  readonly entity_id: string
  readonly data: Readonly<Record<string, unknown>>
  /** The project of the entity; read from the entity if the caller does not know it. */
  readonly project_id?: string | null
  /** False: no webhook delivers it; it is in the list and the stream of events all the same. */
  readonly hasDeliveries?: boolean
}

const dataValidators = new Map(Object.entries(eventDefinitions).map(([kind, row]) => [kind, Compile(row.data)]))

/**
 * Writes an event and one delivery per matching subscription, and notifies event handlers, in the transaction of the
 * change.
 */
export async function emitEvent(tx: Tx, actor: Actor, event: NewEvent): Promise<void> {
  assertInvariant(
    dataValidators.get(event.kind)?.Check(event.data),
    `the data of ${event.kind} does not match its schema`,
  )
  const context = eventContext(actor, event)
  const { entity_type, entity_id } = event
  const project_id =
    event.project_id === undefined
      ? await findProjectOfEntity(tx, actor.organization, { type: entity_type, id: entity_id })
      : event.project_id
  const row = { ...event, ...context, project_id, id: newId() }
  notifyReaders(tx, actor, await insertDomainEvent(tx, row, event.hasDeliveries ?? true))
  await publish(tx, actor, row, context.created_at)
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
  assertInvariant(
    events.every(({ data }) => validator?.Check(data)),
    `the data of ${kind} does not match its schema`,
  )
  const context = eventContext(actor, { kind, entity_type })
  for (let at = 0; at < events.length; at += batch_size) {
    const chunk = events.slice(at, at + batch_size)
    const ids = chunk.map(({ entity_id }) => entity_id)
    const projects = await findProjectsOfEntities(tx, actor.organization, entity_type, ids)
    const rows = chunk.map(({ entity_id, data }) => ({
      ...context,
      id: newId(),
      entity_id,
      project_id: projects.get(entity_id) ?? null,
      data,
    }))
    notifyReaders(tx, actor, await insertEvents(tx, context, rows))
    for (const row of rows) await publish(tx, actor, { ...row, kind }, context.created_at)
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

/** After the commit, wakes the streams of the organization, and the delivery of webhooks if there are deliveries. */
function notifyReaders(tx: Tx, { organization }: Actor, delivery_count: number): void {
  tx.publish(eventChannels.events, organization)
  if (delivery_count > 0) tx.publish(eventChannels.deliveries, organization)
}

const publish = (
  tx: Tx,
  { organization, queue }: Actor,
  { id: event_id, kind, entity_type, entity_id }: Omit<NewEvent, 'data'> & { readonly id: string },
  at: OrganizationTime,
): Promise<void> => queue.publish(tx, kind, { organization_id: organization, event_id, entity_type, entity_id }, at)
