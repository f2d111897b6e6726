import { stacCollectionsList } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { linkBase } from '../items/link-base.ts'
import { readableProjects } from '../projects/access.ts'
import { collectionOf } from './collection.ts'
import { catalogOf, rootLink, types } from './links.ts'
import { listExtents } from './store.ts'

export const listStacCollections = handler(stacCollectionsList, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const rows = await listExtents(call.db, call.organization, readableProjects(call))
  return {
    collections: rows.map((row) => collectionOf(row, base)),
    links: [{ rel: 'self', href: `${catalogOf(base)}/collections`, type: types.json }, rootLink(base)],
  }
})
