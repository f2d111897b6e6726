import { stacCollectionsDeleteOperation } from '@swath/contract/operations/stac.collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCollection } from '../../collections/access.ts'
import { deleteCollectionOfProject } from '../delete-collection.ts'

export const handler = defineHandler(stacCollectionsDeleteOperation, async (call, { collection_id }) => {
  const { project_id } = await requireCollection(call, collection_id, 'write')
  return deleteCollectionOfProject(call, { project_id, collection_id })
})
