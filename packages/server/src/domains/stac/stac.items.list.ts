import { stacItemsList } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { requireCollection } from '../collections/access.ts'
import { searchPage } from './search-page.ts'

export const listItemsOfCollection = handler(stacItemsList, async (call, { collection_id, ...search }) => {
  const { id } = await requireCollection(call, collection_id, 'read')
  return searchPage(call, { ...search, collections: [id] })
})
