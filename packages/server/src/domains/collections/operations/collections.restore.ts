import { collectionsRestoreOperation } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { replaceUniqueViolation } from '../../../platform/database/unique-violation.ts'
import { emitEvent } from '../../events/emit.ts'
import { emitEventsOfMovedItems } from '../../items/moved-items.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { unmarkEntityDeleted } from '../../provenance/record-provenance.ts'
import { collectionNotFound } from '../access.ts'
import { toCollection } from '../collection.ts'
import { lockDeletedCollection, markCollectionRestored } from '../store.ts'

const restore_period_ms = 30 * 86_400_000

export const handler = defineHandler(collectionsRestoreOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'write')

  const restored = call.transaction(async (tx) => {
    await lockOpenProject(tx, call, input.project_id)
    const deletedCollection = await lockDeletedCollection(tx, call.organization, input.project_id, input.collection_id)
    if (!deletedCollection) throw collectionNotFound(input.collection_id)
    if (deletedCollection.deleted_at === null) throw new Problem('invalid-state', 'The collection is not deleted.')
    const now = call.clock.now()
    if (now.getTime() - deletedCollection.deleted_at.getTime() > restore_period_ms) {
      throw new Problem('gone-retention', 'The collection was permanently deleted and cannot be restored.')
    }
    const row = await markCollectionRestored(tx, call.organization, input.collection_id, now)
    await unmarkEntityDeleted(tx, call, { type: 'collection', id: row.id })
    await emitEvent(tx, call, {
      kind: 'collection.updated',
      entity_type: 'collection',
      entity_id: row.id,
      data: { project_id: row.project_id, name: row.name, restored: true },
    })
    await emitEventsOfMovedItems(tx, call, row.id)
    return toCollection(row)
  })
  return replaceUniqueViolation(
    restored,
    () => new Problem('name-taken', 'Another collection of the project now has its name.'),
  )
})
