import { collectionsGetOperation } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCollection } from '../access.ts'
import { toCollection } from '../collection.ts'

export const handler = defineHandler(collectionsGetOperation, async (call, input) => ({
  collection: toCollection(await requireCollection(call, input.collection_id, 'read', input.project_id)),
}))
