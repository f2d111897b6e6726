import type { Queryable } from '../../platform/database/database.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { featuresOf } from './features.ts'
import { findRevised, keepFeatures } from './store.features.ts'
import { longestPage_bytes } from './store.search.ts'

/** Stands where an address of ours begins. It is never part of a text that JSON.stringify made. */
export const baseMark = '\u0001'

/** So many items are written at once: each may be as large as a body may. */
const most = 100

/** What is said of a page that is longer than a page may be. */
export const pageTooLong = (): Problem =>
  new Problem(
    'budget-exceeded',
    'These Features are more text than one page may be. Ask for fewer of them with `limit`.',
  )

/**
 * Writes the STAC Features of some items, as text with `baseMark` for the base of every address, and keeps them for the
 * searches to come. Answers the texts by item. Throws `budget-exceeded` as soon as they are longer than `longest` together.
 */
export async function writeFeatures(
  db: Queryable,
  organization: string,
  ids: readonly string[],
  longest: number = longestPage_bytes,
): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  let length = 0
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
    for (const { item_id, feature } of texts) {
      length += feature.length
      written.set(item_id, feature)
    }
    if (length > longest) throw pageTooLong()
  }
  return written
}
