import type { Queryable } from '../../platform/database/database.ts'
import { queryOpenOrderCount } from './store.lists.ts'

/** The number of open orders of a project; a project with open orders cannot be deleted. */
export const countOpenOrders = (db: Queryable, organization: string, project_id: string): Promise<number> =>
  queryOpenOrderCount(db, organization, project_id)
