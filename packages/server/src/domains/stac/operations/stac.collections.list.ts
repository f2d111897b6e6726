import { stacCollectionsListOperation } from '@swath/contract/operations/stac.collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { toStacCollection } from '../collection.ts'
import { buildStacCatalogUrl, createRootLink, createUrlWithQuery, stacMediaTypes } from '../links.ts'
import { searchCollections } from '../search-collections.ts'
import { listShownCollections } from '../shown-collections.ts'

export const handler = defineHandler(stacCollectionsListOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const rows = await listShownCollections(call)
  const found = searchCollections(
    rows.map((row) => toStacCollection(row, call.organization, base)),
    input,
  )
  const { limit, page } = input
  const size = limit ?? Math.max(1, found.length)
  const collections = found.slice(page * size, (page + 1) * size)
  const url = `${buildStacCatalogUrl(base)}/collections`
  return {
    collections,
    links: [
      { rel: 'self', href: createUrlWithQuery(url, { ...input, page: page || null }), type: stacMediaTypes.json },
      createRootLink(base),
      ...((page + 1) * size < found.length
        ? [{ rel: 'next', href: createUrlWithQuery(url, { ...input, page: page + 1 }), type: stacMediaTypes.json }]
        : []),
    ],
    numberMatched: found.length,
    numberReturned: collections.length,
  }
})
