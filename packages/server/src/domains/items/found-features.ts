import type { Call } from '../../engine/call.ts'
import { longestPage_bytes, searchFeatures, type ItemSearch } from './store.search.ts'
import type { Boundary } from './store.sort.ts'
import { baseMark, pageTooLong, writeFeatures } from './written-features.ts'

/** A page of STAC Features as text. */
export interface FoundText {
  /** With a comma and a new line between them. */
  readonly features: string
  readonly returned: number
  readonly matched: number
  /** Where the next page begins; null where there is none. */
  readonly next: Boundary | null
}

/**
 * A page of STAC Features as text, every address in them beginning with `base`. Throws `budget-exceeded` where the text
 * would be longer than `longest_bytes`.
 */
export async function findFeatures(
  call: Pick<Call, 'organization' | 'db' | 'searchDb'>,
  search: ItemSearch,
  base: string,
  longest_bytes: number = longestPage_bytes,
): Promise<FoundText> {
  const { features, matched, next } = await searchFeatures(call.searchDb, call.organization, search, longest_bytes)
  if (features === null) throw pageTooLong()
  const missing = features.filter(({ feature }) => feature === null).map(({ id }) => id)
  const written = missing.length === 0 ? null : await writeFeatures(call.db, call.organization, missing, longest_bytes)
  const text = features.map(({ id, feature }) => feature ?? written?.get(id) ?? 'null').join(',\n')
  // Much quicker than replaceAll where there are thousands.
  const whole = text.split(baseMark).join(JSON.stringify(base).slice(1, -1))
  return { features: whole, returned: features.length, matched, next }
}
