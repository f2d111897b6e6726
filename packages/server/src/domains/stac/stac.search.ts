import { stacSearch } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { readStacSearch } from './read-search.ts'
import { searchPage } from './search-page.ts'

export const searchStac = handler(stacSearch, async (call, input) => searchPage(call, input, readStacSearch(input)))
