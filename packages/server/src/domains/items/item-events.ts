import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent, emitEvents } from '../events/emit.ts'
import type { ItemRow } from './store.ts'

type ItemEventSubject = Pick<ItemRow, 'id' | 'project_id' | 'collection_id' | 'name' | 'type' | 'lifecycle_state'>

/** Emits `item.updated` or `item.deleted`, with additional event data. */
export const emitItemEvent = (
  tx: Tx,
  actor: Actor,
  {
    kind,
    item,
    extraData = {},
  }: {
    readonly kind: 'item.updated' | 'item.deleted'
    readonly item: ItemEventSubject
    readonly extraData?: Readonly<Record<string, unknown>>
  },
): Promise<void> =>
  emitEvent(tx, actor, {
    kind,
    entity_type: 'item',
    entity_id: item.id,
    project_id: item.project_id,
    data: { ...toEventData(item), ...extraData },
  })

/** Emits `item.updated` for each of the items, whose collection is another one. */
export const emitItemsMoved = (tx: Tx, actor: Actor, items: readonly ItemEventSubject[]): Promise<void> =>
  emitEvents(
    tx,
    actor,
    { kind: 'item.updated', entity_type: 'item' },
    items.map((item) => ({ entity_id: item.id, data: { ...toEventData(item), changed: ['collection_id'] } })),
  )

/** Emits `item.deleted` for each of the items. */
export const emitItemsDeleted = (tx: Tx, actor: Actor, items: readonly ItemEventSubject[]): Promise<void> =>
  emitEvents(
    tx,
    actor,
    { kind: 'item.deleted', entity_type: 'item' },
    items.map((item) => ({ entity_id: item.id, data: toEventData({ ...item, lifecycle_state: 'deleted' }) })),
  )

const toEventData = ({ project_id, collection_id, name, type, lifecycle_state }: ItemEventSubject) => ({
  project_id,
  collection_id,
  name,
  type,
  lifecycle_state,
})
