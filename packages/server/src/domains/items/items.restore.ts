import { itemsRestore } from '@swath/contract/operations/items.life.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { sqlState } from '../../platform/database/database.ts'
import { findCollection } from '../collections/store.ts'
import { keepProjectOpen, requireProject } from '../projects/access.ts'
import { unbury } from '../provenance/record.ts'
import { missingItem, requireKept } from './access.ts'
import { announceItem } from './announce.ts'
import { itemOf } from './item.ts'
import { stateAt, undo_ms } from './retention.ts'
import { findItem } from './store.ts'
import { lockItems, purgedAt, untrashItem } from './store.life.ts'

const unique_violation = '23505'

export const restoreItem = handler(itemsRestore, async (call, input) => {
  const found = await findItem(call.db, call.organization, input.item_id)
  if (!found) throw missingItem(input.item_id)
  await requireProject(call, found.project_id, 'write')

  const restored = call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, found.project_id)
    const [item] = await lockItems(tx, call.organization, [found.id])
    if (!item) throw missingItem(found.id)
    if (item.deleted_at === null) throw new Problem('invalid-state', 'The item is not deleted.')
    const now = call.clock.now()
    const late = now.getTime() - item.deleted_at.getTime() > undo_ms
    if (late || (await purgedAt(tx, call.organization, item.id)) !== null) {
      throw new Problem('gone-retention', 'The item was permanently deleted and cannot be restored.')
    }
    requireKept(call, item)
    // The collection may have been deleted, before or after the item.
    const kept = item.collection_id !== null && (await findCollection(tx, call.organization, item.collection_id))
    const row = await untrashItem(tx, call.organization, item.id, {
      lifecycle_state: stateAt(item, now),
      collection_id: kept ? item.collection_id : null,
      now,
    })
    await unbury(tx, call, { type: 'item', id: row.id })
    await announceItem(tx, call, 'item.updated', row, { restored: true })
    return itemOf(row)
  })
  return restored.catch((error: unknown) => {
    if (sqlState(error) !== unique_violation) throw error
    throw new Problem('stac-id-taken', `Another item of the organization has the stac_id "${found.stac_id}".`)
  })
})
