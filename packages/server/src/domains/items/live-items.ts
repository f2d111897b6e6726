import type { Queryable } from '../../platform/database/database.ts'
import { selectLiveItemIds } from './store.item-lifecycle.ts'

/** The items of an organization that are not purged, oldest first. */
export const listLiveItemIds = (db: Queryable, organization: string): Promise<string[]> =>
  selectLiveItemIds(db, organization)
