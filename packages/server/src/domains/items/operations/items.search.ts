import { itemsSearchOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProject } from '../../projects/access.ts'
import { searchItemPage } from '../search/search-items.ts'
import { createSingleProjectSearchScope } from '../search/store.scope.ts'

export const handler = defineHandler(itemsSearchOperation, (call, input) =>
  searchItemPage(call, input, async () =>
    createSingleProjectSearchScope((await requireProject(call, input.project_id, 'read')).id),
  ),
)
