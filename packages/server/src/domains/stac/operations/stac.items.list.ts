import { stacItemsListOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCollection } from '../../collections/access.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { buildCollectionItemsUrls } from '../links.ts'
import { clampPageLimit } from '../page-limit.ts'
import { parseStacApiSearch } from '../read-api-search.ts'
import { createStacPageWithUrls } from '../search-page.ts'

export const handler = defineHandler(stacItemsListOperation, async (call, { collection_id, ...search }) => {
  const { id } = await requireCollection(call, collection_id, 'read')
  const urls = buildCollectionItemsUrls(resolveLinkBase(call, search.base_url), id)
  const clamped = clampPageLimit(search)
  const inCollection = { ...clamped, collections: [id] }
  return createStacPageWithUrls({
    urls,
    call,
    input: inCollection,
    linkFields: clamped,
    parsed: parseStacApiSearch(inCollection),
  })
})
