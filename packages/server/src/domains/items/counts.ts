import type { Call } from '../../engine/call.ts'
import { countItems, listPropertyTypes, type ItemCounts, type PropertyTypes } from './search/store.aggregates.ts'
import type { ItemFilter } from './search/store.search-conditions.ts'

type SearchCall = Pick<Call, 'organization' | 'itemSearchDb' | 'clock'>

/** The properties of all visible items, with the JSON types of their values. */
export const findItemPropertyTypes = (
  call: SearchCall,
  scope: Pick<ItemFilter, 'projects' | 'collections'>,
): Promise<PropertyTypes[]> =>
  listPropertyTypes(call.itemSearchDb, call.organization, { ...scope, now: call.clock.now() })

/** Counts of all matching items. */
export const countMatchingItems = (call: SearchCall, conditions: Omit<ItemFilter, 'now'>): Promise<ItemCounts> =>
  countItems(call.itemSearchDb, call.organization, { ...conditions, now: call.clock.now() })
