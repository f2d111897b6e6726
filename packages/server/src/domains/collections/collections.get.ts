import { collectionsGet } from '@swath/contract/operations/collections.ts'
import { handler } from '../../engine/handler.ts'
import { requireCollection } from './access.ts'
import { collectionOf } from './collection.ts'

export const getCollection = handler(collectionsGet, async (call, input) => ({
  collection: collectionOf(await requireCollection(call, input.collection_id, 'read', input.project_id)),
}))
