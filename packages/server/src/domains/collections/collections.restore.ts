import { collectionsRestore } from '@swath/contract/operations/collections.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { sqlState } from '../../platform/database/database.ts'
import { emit } from '../events/emit.ts'
import { keepProjectOpen, requireProject } from '../projects/access.ts'
import { unbury } from '../provenance/record.ts'
import { missingCollection } from './access.ts'
import { collectionOf } from './collection.ts'
import { lockDeletedCollection, undeleteCollection } from './store.ts'

const unique_violation = '23505'
const undo_ms = 30 * 86_400_000

export const restoreCollection = handler(collectionsRestore, async (call, input) => {
  await requireProject(call, input.project_id, 'write')

  const restored = call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, input.project_id)
    const found = await lockDeletedCollection(tx, call.organization, input.project_id, input.collection_id)
    if (!found) throw missingCollection(input.collection_id)
    if (found.deleted_at === null) throw new Problem('invalid-state', 'The collection is not deleted.')
    const now = call.clock.now()
    if (now.getTime() - found.deleted_at.getTime() > undo_ms) {
      throw new Problem('gone-retention', 'The collection was permanently deleted and cannot be restored.')
    }
    const row = await undeleteCollection(tx, call.organization, input.collection_id, now)
    await unbury(tx, call, { type: 'collection', id: row.id })
    await emit(tx, call, {
      kind: 'collection.updated',
      entity_type: 'collection',
      entity_id: row.id,
      data: { project_id: row.project_id, name: row.name, restored: true },
    })
    return collectionOf(row)
  })
  return restored.catch((error: unknown) => {
    if (sqlState(error) !== unique_violation) throw error
    throw new Problem('name-taken', 'Another collection of the project now has its name.')
  })
})
