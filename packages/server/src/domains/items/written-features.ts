import type { Queryable } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { featuresOf } from './features.ts'
import { findRevised, keepFeatures } from './store.features.ts'

/** Stands where an address of ours begins. It is never part of a text that JSON.stringify made. */
export const baseMark = '\u0001'

/** So many items are written at once. */
const most = 500

/**
 * Writes the STAC Features of some items, as text with `baseMark` for the base of every address, and keeps them for the
 * searches to come. Answers the texts by item.
 */
export async function writeFeatures(
  db: Queryable,
  organization: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  for (let start = 0; start < ids.length; start += most) {
    const rows = await findRevised(db, organization, ids.slice(start, start + most))
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
