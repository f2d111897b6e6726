import type { Call } from '../../engine/call.ts'
import { countItems, listPropertyTypes, type ItemCounts } from './store.aggregates.ts'
import type { ItemConditions } from './store.search.ts'

type Asking = Pick<Call, 'organization' | 'searchDb' | 'clock'>

/** Number of the newest items that are sampled for property types. */
const looked_at = 1000

/** Properties of the newest items, with the JSON types of their values. */
export const propertyTypes = (
  call: Asking,
  among: Pick<ItemConditions, 'projects' | 'collections'>,
): Promise<{ name: string; types: string[] }[]> =>
  listPropertyTypes(call.searchDb, call.organization, { ...among, now: call.clock.now() }, looked_at)

/** Counts of all matching items. */
export const countsOf = (call: Asking, conditions: Omit<ItemConditions, 'now'>): Promise<ItemCounts> =>
  countItems(call.searchDb, call.organization, { ...conditions, now: call.clock.now() })
