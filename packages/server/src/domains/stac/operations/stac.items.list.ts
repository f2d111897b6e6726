import { stacItemsListOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCollection } from '../../collections/access.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { collectionItemsUrls } from '../links.ts'
import { clampLimit } from '../page-limit.ts'
import { parseApiSearch } from '../read-api-search.ts'
import { createPage } from '../search-page.ts'

export const handler = defineHandler(stacItemsListOperation, async (call, { collection_id, ...search }) => {
  const { id } = await requireCollection(call, collection_id, 'read')
  const urls = collectionItemsUrls(resolveLinkBase(call, search.base_url), id)
  const clamped = clampLimit(search)
  const inCollection = { ...clamped, collections: [id] }
  return createPage({ urls, call, input: inCollection, linkFields: clamped, parsed: parseApiSearch(inCollection) })
})
