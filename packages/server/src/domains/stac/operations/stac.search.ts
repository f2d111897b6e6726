import { stacSearchOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { continueSearch } from '../continued-search.ts'
import { parseStacSearch } from '../read-search.ts'
import { createStacSearchPage } from '../search-page.ts'

export const handler = defineHandler(stacSearchOperation, async (call, input) => {
  const search = continueSearch(call, input)
  return createStacSearchPage(call, search, parseStacSearch(search.input))
})
