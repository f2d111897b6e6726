import type { Call } from '../../engine/call.ts'
import { longestPage_bytes, searchFeatures, type FoundText, type ItemSearch } from './store.search.ts'
import { baseMark, pageTooLong, writeFeatures } from './written-features.ts'

/** An item whose Feature is not written yet, in the text of a page. */
const unwritten = /\u0002([0-9a-f-]{36})/g

/**
 * A page of STAC Features as text with a comma and a new line between them, every address beginning with `base`. Throws
 * `budget-exceeded` where the text would be longer than `longest_bytes`.
 */
export async function findFeatures(
  call: Pick<Call, 'organization' | 'db' | 'searchDb'>,
  search: ItemSearch,
  base: string,
  longest_bytes: number = longestPage_bytes,
): Promise<FoundText & { readonly features: string }> {
  const found = await searchFeatures(call.searchDb, call.organization, search, longest_bytes)
  const { features } = found
  if (features === null) throw pageTooLong()
  const missing = features.includes('\u0002') ? [...features.matchAll(unwritten)].map(([, id]) => id!) : []
  const written = missing.length === 0 ? null : await writeFeatures(call.db, call.organization, missing, longest_bytes)
  const whole = written ? features.replaceAll(unwritten, (_mark, id: string) => written.get(id) ?? 'null') : features
  // Much quicker than replaceAll where there are thousands.
  return { ...found, features: whole.split(baseMark).join(JSON.stringify(base).slice(1, -1)) }
}
