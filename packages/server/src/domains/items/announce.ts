import type { Tx } from '../../platform/database/database.ts'
import { emit, type Actor } from '../events/emit.ts'
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
  emit(tx, actor, {
    kind,
    entity_type: 'item',
    entity_id: item.id,
    data: {
      project_id: item.project_id,
      collection_id: item.collection_id,
      name: item.name,
      type: item.type,
      lifecycle_state: item.lifecycle_state,
      ...further,
    },
  })
