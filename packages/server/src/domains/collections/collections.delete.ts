import { collectionsDelete } from '@swath/contract/operations/collections.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject } from '../projects/access.ts'
import { bury } from '../provenance/record.ts'
import { collectionIn, missingCollection } from './access.ts'
import { deleteCollection } from './store.ts'

export const removeCollection = handler(collectionsDelete, async (call, input) => {
  await requireProject(call, input.project_id, 'write')

  return call.transaction(async (tx) => {
    const row = await collectionIn(tx, call.organization, input.collection_id, input.project_id, true)
    if (!(await deleteCollection(tx, call.organization, row.id, call.clock.now()))) throw missingCollection(row.id)
    await bury(tx, call, { type: 'collection', id: row.id })
    return { ok: true, id: row.id }
  })
})
