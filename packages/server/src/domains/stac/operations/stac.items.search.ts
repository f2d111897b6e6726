import { stacItemsSearchOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { continueSearch } from '../continued-search.ts'
import { clampPageLimit } from '../page-limit.ts'
import { parseStacApiSearch } from '../read-api-search.ts'
import { createStacSearchPage } from '../search-page.ts'

export const handler = defineHandler(stacItemsSearchOperation, async (call, input) => {
  const search = continueSearch(call, clampPageLimit(input))
  return createStacSearchPage(call, search, parseStacApiSearch(search.input))
})
