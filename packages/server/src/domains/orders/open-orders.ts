import type { Queryable } from '../../platform/database/database.ts'
import { countOpen } from './store.lists.ts'

/** How many orders of a project have not ended; a project with open ones cannot be deleted. */
export const countOpenOrders = (db: Queryable, organization: string, project_id: string): Promise<number> =>
  countOpen(db, organization, project_id)
