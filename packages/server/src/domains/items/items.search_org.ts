import { itemsSearchOrg } from '@swath/contract/operations/items.search.ts'
import { handler } from '../../engine/handler.ts'
import { searchedProjects } from '../projects/access.ts'
import { findItems } from './found-items.ts'

export const searchOrganizationItems = handler(itemsSearchOrg, (call, input) =>
  findItems(call, input, () => searchedProjects(call)),
)
