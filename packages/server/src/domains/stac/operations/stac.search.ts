import { stacSearchOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { parseStacSearch } from '../read-search.ts'
import { createSearchPage } from '../search-page.ts'

export const handler = defineHandler(stacSearchOperation, async (call, input) =>
  createSearchPage(call, input, parseStacSearch(input)),
)
