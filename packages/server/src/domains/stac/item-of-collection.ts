import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireItem, type ItemAccessOptions } from '../items/access.ts'
import { findItemIdInCollection } from '../items/store.item-lifecycle.ts'
import type { ItemRow } from '../items/store.ts'
import { requireShownCollection } from './shown-collections.ts'

/** The item of a collection by its STAC id, if the caller may write it. Throws what `requireItem` throws. */
export async function requireItemInCollection(
  call: Call,
  { collection_id, stac_id }: { readonly collection_id: string; readonly stac_id: string },
  access: ItemAccessOptions = {},
): Promise<ItemRow> {
  const { scope } = await requireShownCollection(call, collection_id, 'write')
  const found = await findItemIdInCollection(call.db, call.organization, scope, stac_id)
  if (found === null) throw new Problem('not-found', `No item of the collection has the STAC id "${stac_id}".`)
  return requireItem(call, found, 'write', access)
}
