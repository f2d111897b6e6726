import { stacItemsList } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { requireCollection } from '../collections/access.ts'
import { linkBase } from '../items/link-base.ts'
import { itemsPlace } from './links.ts'
import { clampLimit } from './page-limit.ts'
import { readApiSearch } from './read-api-search.ts'
import { pageAt } from './search-page.ts'

export const listItemsOfCollection = handler(stacItemsList, async (call, { collection_id, ...search }) => {
  const { id } = await requireCollection(call, collection_id, 'read')
  const place = itemsPlace(linkBase(call, search.base_url), id)
  const asked = clampLimit(search)
  const all = { ...asked, collections: [id] }
  return pageAt(place, call, all, asked, readApiSearch(all))
})
