import { stacCollectionsListOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { toStacCollection } from '../collection.ts'
import { buildStacCatalogUrl, createRootLink, stacMediaTypes } from '../links.ts'
import { listCollectionExtents } from '../store.ts'

export const handler = defineHandler(stacCollectionsListOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const rows = await listCollectionExtents(call.db, call.organization, readableProjectsSql(call))
  return {
    collections: rows.map((row) => toStacCollection(row, base)),
    links: [
      { rel: 'self', href: `${buildStacCatalogUrl(base)}/collections`, type: stacMediaTypes.json },
      createRootLink(base),
    ],
  }
})
