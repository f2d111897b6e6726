import { itemsSearchOrg } from '@swath/contract/operations/items.search.ts'
import { handler } from '../../engine/handler.ts'
import { readableProjects } from '../projects/access.ts'
import { findItems } from './found-items.ts'

export const searchOrganizationItems = handler(itemsSearchOrg, (call, input) =>
  findItems(call, input, () => readableProjects(call)),
)
