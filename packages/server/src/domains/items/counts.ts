import type { Call } from '../../engine/call.ts'
import { countItems, listPropertyTypes, type ItemCounts } from './search/store.aggregates.ts'
import type { ItemFilter } from './search/store.search-conditions.ts'

type SearchCall = Pick<Call, 'organization' | 'itemSearchDb' | 'clock'>

/** Number of the newest items that are sampled for property types. */
const sample_size = 1000

/** Properties of the newest items, with the JSON types of their values. */
export const samplePropertyTypes = (
  call: SearchCall,
  scope: Pick<ItemFilter, 'projects' | 'collections'>,
): Promise<{ name: string; types: string[] }[]> =>
  listPropertyTypes(call.itemSearchDb, call.organization, { ...scope, now: call.clock.now() }, sample_size)

/** Counts of all matching items. */
export const countMatchingItems = (call: SearchCall, conditions: Omit<ItemFilter, 'now'>): Promise<ItemCounts> =>
  countItems(call.itemSearchDb, call.organization, { ...conditions, now: call.clock.now() })
