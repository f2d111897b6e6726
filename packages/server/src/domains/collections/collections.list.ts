import { collectionsList } from '@swath/contract/operations/collections.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject } from '../projects/access.ts'
import { collectionOf } from './collection.ts'
import { listCollections as findCollections } from './store.ts'

export const listCollections = handler(collectionsList, async (call, input) => {
  await requireProject(call, input.project_id, 'read')
  const collections = (await findCollections(call.db, call.organization, input.project_id)).map(collectionOf)
  return { collections, ...wholeWindow(collections) }
})
