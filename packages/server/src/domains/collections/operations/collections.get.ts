import { collectionsGet } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCollection } from '../access.ts'
import { toCollection } from '../collection.ts'

export const getCollection = defineHandler(collectionsGet, async (call, input) => ({
  collection: toCollection(await requireCollection(call, input.collection_id, 'read', input.project_id)),
}))
