import { stacItemsSearchOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { clampLimit } from '../page-limit.ts'
import { parseApiSearch } from '../read-api-search.ts'
import { createSearchPage } from '../search-page.ts'

export const handler = defineHandler(stacItemsSearchOperation, async (call, input) =>
  createSearchPage(call, clampLimit(input), parseApiSearch(input)),
)
