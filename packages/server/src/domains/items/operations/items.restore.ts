import { itemsRestoreOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { replaceUniqueViolation } from '../../../platform/database/unique-violation.ts'
import { findCollection } from '../../collections/store.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { unmarkEntityDeleted } from '../../provenance/record-provenance.ts'
import { itemNotFound, requireUnexpiredItem } from '../access.ts'
import { stacIdTaken } from '../add-item.ts'
import { emitItemEvent } from '../item-events.ts'
import { toItem } from '../item.ts'
import { computeLifecycleState, restore_period_ms } from '../retention/retention.ts'
import { findItem } from '../store.ts'
import { lockItems, findPurgedAt, markItemRestored } from '../store.item-lifecycle.ts'

export const handler = defineHandler(itemsRestoreOperation, async (call, input) => {
  const storedItem = await findItem(call.db, call.organization, input.item_id)
  if (!storedItem) throw itemNotFound(input.item_id)
  await requireProject(call, storedItem.project_id, 'write')

  const restored = call.transaction(async (tx) => {
    await lockOpenProject(tx, call, storedItem.project_id)
    const [item] = await lockItems(tx, call.organization, [storedItem.id])
    if (!item) throw itemNotFound(storedItem.id)
    if (item.deleted_at === null) throw new Problem('invalid-state', 'The item is not deleted.')
    const now = call.clock.now()
    const isPastRestorePeriod = now.getTime() - item.deleted_at.getTime() > restore_period_ms
    if (isPastRestorePeriod || (await findPurgedAt(tx, call.organization, item.id)) !== null) {
      throw new Problem('gone-retention', 'The item was permanently deleted and cannot be restored.')
    }
    requireUnexpiredItem(call, item)
    // The collection may have been deleted, before or after the item.
    const hasCollection =
      item.collection_id !== null && (await findCollection(tx, call.organization, item.collection_id))
    const row = await markItemRestored(tx, call.organization, item.id, {
      lifecycle_state: computeLifecycleState(item, now),
      collection_id: hasCollection ? item.collection_id : null,
      now,
    })
    await unmarkEntityDeleted(tx, call, { type: 'item', id: row.id })
    await emitItemEvent(tx, call, { kind: 'item.updated', item: row, extraData: { restored: true } })
    return toItem(row)
  })
  return replaceUniqueViolation(restored, () => stacIdTaken(storedItem.stac_id))
})
