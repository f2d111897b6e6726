import { stacItemsSearch } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { clampLimit } from './page-limit.ts'
import { readApiSearch } from './read-api-search.ts'
import { searchPage } from './search-page.ts'

export const searchStacItems = handler(stacItemsSearch, async (call, input) =>
  searchPage(call, clampLimit(input), readApiSearch(input)),
)
