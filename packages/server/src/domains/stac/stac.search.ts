import { stacSearch } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { searchPage } from './search-page.ts'

export const searchStac = handler(stacSearch, searchPage)
