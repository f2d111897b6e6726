import { stacSearchOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { parseStacSearch } from '../read-search.ts'
import { createStacSearchPage } from '../search-page.ts'

export const handler = defineHandler(stacSearchOperation, async (call, input) =>
  createStacSearchPage(call, input, parseStacSearch(input)),
)
