import type { Tx } from '../../platform/database/database.ts'
import { emit, emitAll, type Actor } from '../events/emit.ts'
import type { ItemRow } from './store.ts'

type Told = Pick<ItemRow, 'id' | 'project_id' | 'collection_id' | 'name' | 'type' | 'lifecycle_state'>

/** Tells that an item was changed or deleted, and what of it. */
export const announceItem = (
  tx: Tx,
  actor: Actor,
  kind: 'item.updated' | 'item.deleted',
  item: Told,
  further: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  emit(tx, actor, { kind, entity_type: 'item', entity_id: item.id, data: { ...dataOf(item), ...further } })

/** Tells of each of many items that it was deleted. */
export const announceDeleted = (tx: Tx, actor: Actor, items: readonly Told[]): Promise<void> =>
  emitAll(
    tx,
    actor,
    { kind: 'item.deleted', entity_type: 'item' },
    items.map((item) => ({ entity_id: item.id, data: dataOf({ ...item, lifecycle_state: 'deleted' }) })),
  )

const dataOf = ({ project_id, collection_id, name, type, lifecycle_state }: Told) => ({
  project_id,
  collection_id,
  name,
  type,
  lifecycle_state,
})
