import { itemsSearchOrgOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { searchItemPage } from '../search/search-items.ts'

export const handler = defineHandler(itemsSearchOrgOperation, (call, input) =>
  searchItemPage(call, input, () => toSearchableProjectsSql(call)),
)
