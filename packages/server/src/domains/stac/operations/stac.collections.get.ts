import { stacCollectionsGetOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { collectionNotFound, requireCollection } from '../../collections/access.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { toStacCollection } from '../collection.ts'
import { listCollectionExtents } from '../store.ts'

export const handler = defineHandler(stacCollectionsGetOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const { id } = await requireCollection(call, input.collection_id, 'read')
  const [row] = await listCollectionExtents(call.db, call.organization, readableProjectsSql(call), id)
  if (!row) throw collectionNotFound(id)
  return toStacCollection(row, base)
})
