import { stacCollectionsGet } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { missingCollection, requireCollection } from '../collections/access.ts'
import { linkBase } from '../items/link-base.ts'
import { readableProjects } from '../projects/access.ts'
import { collectionOf } from './collection.ts'
import { listExtents } from './store.ts'

export const getStacCollection = handler(stacCollectionsGet, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const { id } = await requireCollection(call, input.collection_id, 'read')
  const [row] = await listExtents(call.db, call.organization, readableProjects(call), id)
  if (!row) throw missingCollection(id)
  return collectionOf(row, base)
})
