import { stacItemsListOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { continueSearch } from '../continued-search.ts'
import { buildCollectionItemsUrls } from '../links.ts'
import { clampPageLimit } from '../page-limit.ts'
import { parseStacApiSearch } from '../read-api-search.ts'
import { requireShownCollection } from '../shown-collections.ts'
import { createStacPageWithUrls } from '../search-page.ts'

export const handler = defineHandler(stacItemsListOperation, async (call, { collection_id, ...request }) => {
  const { id } = await requireShownCollection(call, collection_id, 'read')
  const urls = buildCollectionItemsUrls(resolveLinkBase(call, request.base_url), id)
  const search = continueSearch(call, { ...clampPageLimit(request), collections: [id] })
  const { collections: _, ...linkFields } = search.input
  return createStacPageWithUrls({ urls, call, search, linkFields, parsed: parseStacApiSearch(search.input) })
})
