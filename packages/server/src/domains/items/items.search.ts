import { itemsSearch } from '@swath/contract/operations/items.search.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject } from '../projects/access.ts'
import { findItems } from './found-items.ts'
import { onlyProject } from './store.scope.ts'

export const searchProjectItems = handler(itemsSearch, (call, input) =>
  findItems(call, input, async () => onlyProject((await requireProject(call, input.project_id, 'read')).id)),
)
