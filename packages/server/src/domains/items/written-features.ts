import type { Queryable } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { featuresOf } from './features.ts'
import { pageSizes, partsOf } from './page-size.ts'
import { findRevised, keepFeatures } from './store.features.ts'

/** Stands where an address of ours begins. It is never part of a text that JSON.stringify made. */
export const baseMark = '\u0001'

/** An item whose Feature is to be written. */
export interface UnwrittenItem {
  readonly id: string
  /** What its Feature will be long, about. */
  readonly bytes: number
}

/**
 * Writes the STAC Features of some items, as text with `baseMark` for the base of every address, and keeps them for the
 * searches to come. Answers the texts by item.
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
    // Nobody can have written it into an item, so it can be told from everything else.
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
