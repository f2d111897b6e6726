import { collectionsDeleteOperation } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProject } from '../../projects/access.ts'
import { markEntityDeleted } from '../../provenance/record-provenance.ts'
import { requireCollectionInProject, collectionNotFound } from '../access.ts'
import { deleteCollection } from '../store.ts'

export const handler = defineHandler(collectionsDeleteOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'write')

  return call.transaction(async (tx) => {
    const row = await requireCollectionInProject(tx, {
      organization: call.organization,
      id: input.collection_id,
      project_id: input.project_id,
      lock: true,
    })
    if (!(await deleteCollection(tx, call.organization, row.id, call.clock.now()))) throw collectionNotFound(row.id)
    await markEntityDeleted(tx, call, { type: 'collection', id: row.id })
    return { ok: true, id: row.id }
  })
})
