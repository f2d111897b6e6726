import type { Tx } from '../../platform/database/database.ts'
import { emit, emitAll, type Actor } from '../events/emit.ts'
import type { ItemRow } from './store.ts'

type Told = Pick<ItemRow, 'id' | 'project_id' | 'collection_id' | 'name' | 'type' | 'lifecycle_state'>

/** Emits `item.updated` or `item.deleted`, with additional event data. */
export const announceItem = (
  tx: Tx,
  actor: Actor,
  kind: 'item.updated' | 'item.deleted',
  item: Told,
  further: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  emit(tx, actor, { kind, entity_type: 'item', entity_id: item.id, data: { ...dataOf(item), ...further } })

/** Emits `item.deleted` for each of the items. */
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
