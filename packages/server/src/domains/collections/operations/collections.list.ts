import { collectionsListOperation } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireProject } from '../../projects/access.ts'
import { toCollection } from '../collection.ts'
import { listCollectionsOfProject } from '../store.ts'

export const handler = defineHandler(collectionsListOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'read')
  const collections = (await listCollectionsOfProject(call.db, call.organization, input.project_id)).map(toCollection)
  return toCompleteList('collections', collections)
})
