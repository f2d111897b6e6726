import type { Queryable } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { featuresOf } from './features.ts'
import { pageSizes, partsOf } from './page-size.ts'
import { findRevised, keepFeatures } from './store.features.ts'

/** Placeholder of the base URL. JSON.stringify escapes control characters, so it never occurs in its output. */
export const baseMark = '\u0001'

/** An item whose Feature is to be serialized. */
export interface UnwrittenItem {
  readonly id: string
  /** Estimated size of its Feature. */
  readonly bytes: number
}

/**
 * Serializes the STAC Features of items, with `basePlaceholder` for the base URL, and caches them for later searches.
 * Returns the texts by item id.
 */
export async function writeFeatures(
  db: Queryable,
  organization: string,
  items: readonly UnwrittenItem[],
): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  for (const part of partsOf(items, pageSizes.part_bytes)) {
    const ids = part.map(({ id }) => id)
    const rows = await findRevised(db, organization, ids)
    // A new random id cannot occur in item data, so it can be replaced safely.
    const base = newId()
    const features = await featuresOf(db, organization, rows, base)
    const texts = features.map((feature, index) => ({
      item_id: rows[index]!.id,
      revision: rows[index]!.revision,
      feature: JSON.stringify(feature).replaceAll(base, baseMark),
    }))
    await keepFeatures(db, organization, texts)
    for (const { item_id, feature } of texts) written.set(item_id, feature)
  }
  return written
}
