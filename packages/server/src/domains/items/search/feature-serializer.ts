import { stacItemsGetOperation } from '@swath/contract/operations/stac.items.ts'
import { requireValidOutput } from '../../../engine/input/read-input.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { rowsToStacItems } from '../stac/stac-items.ts'
import { defaultPageSizes, splitByBytes } from './page-size.ts'
import { findRowsWithRevision, upsertCachedFeatures } from './store.feature-cache.ts'

/** Placeholder of the base URL. JSON.stringify escapes control characters, so it never occurs in its output. */
export const basePlaceholder = '\u0001'

/** An item whose Feature is to be serialized. */
export interface UnserializedItem {
  readonly id: string
  /** Estimated size of its Feature. */
  readonly bytes: number
}

/**
 * Serializes the STAC Features of items, with `basePlaceholder` for the base URL, and caches them for later searches.
 * Returns the texts by item id. The first one is validated here, as a sample, and no cached one with a response: reading it
 * again takes longer than the rest of a short page.
 */
export async function serializeFeatures(
  db: Queryable,
  organization: string,
  items: readonly UnserializedItem[],
): Promise<Map<string, string>> {
  const serialized = new Map<string, string>()
  for (const part of splitByBytes(items, defaultPageSizes.part_bytes)) {
    const ids = part.map(({ id }) => id)
    const rows = await findRowsWithRevision(db, organization, ids)
    // A new random id cannot occur in item data, so it can be replaced safely.
    const base = newId()
    const features = await rowsToStacItems(db, organization, rows, base)
    if (features[0]) requireValidOutput(stacItemsGetOperation, features[0])
    const texts = features.map((feature, index) => ({
      item_id: rows[index]!.id,
      revision: rows[index]!.revision,
      feature: JSON.stringify(feature).replaceAll(base, basePlaceholder),
    }))
    await upsertCachedFeatures(db, organization, texts)
    for (const { item_id, feature } of texts) serialized.set(item_id, feature)
  }
  return serialized
}
