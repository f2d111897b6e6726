import type { Entries } from '../../engine/answer.ts'
import { entryEnd } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { bytesOf, pageSizes, partsOf, type PageSizes } from './page-size.ts'
import { findWritten } from './store.features.ts'
import { searchFeatures, type FoundFeature, type ItemSearch, type PageFit } from './store.search.ts'
import type { Boundary } from './store.sort.ts'
import { baseMark, writeFeatures } from './written-features.ts'

/** A page of serialized STAC Features. */
export interface FoundText {
  readonly features: Entries
  readonly returned: number
  readonly matched: number
  /** Where the next page begins; null if there is none. */
  readonly next: Boundary | null
}

type FeatureCall = Pick<Call, 'organization' | 'db' | 'searchDb' | 'reserve' | 'signal' | 'clock'>

/** How a page is limited: its byte sizes, and how many rows to return if it ends early. */
export interface PageCut {
  readonly fit?: PageFit
  readonly sizes?: PageSizes
}

/** A page of serialized STAC Features, with URLs based on `base`. It ends early if they are large. */
export async function findFeatures(
  call: FeatureCall,
  search: Omit<ItemSearch, 'now'>,
  base: string,
  { fit, sizes = pageSizes }: PageCut = {},
): Promise<FoundText> {
  const conditions = { ...search, now: call.clock.now() }
  const found = await searchFeatures(call.searchDb, call.organization, conditions, fit, boundedFor(base, sizes))
  const { features, whole, matched, next } = found
  // Escaped as within a JSON string.
  const prefix = JSON.stringify(base).slice(1, -1)
  const entries = whole
    ? await shortText(call, features, prefix)
    : await longTexts(call, features, prefix, sizes.part_bytes)
  return { features: entries, returned: features.length, matched, next }
}

/** Measured sizes include base URLs of normal length; a longer base may occur once per hundred bytes. */
const boundedFor = (base: string, { longest_bytes, part_bytes }: PageSizes): PageSizes => {
  const share = Math.max(1, base.length / 100)
  return { longest_bytes: longest_bytes / share, part_bytes: Math.floor(part_bytes / share) }
}

/** All Features in one text: much faster than one by one for thousands. */
async function shortText(call: FeatureCall, features: readonly FoundFeature[], prefix: string): Promise<string> {
  const missing = features.filter(({ feature }) => feature === null)
  const written = missing.length === 0 ? null : await writeFeatures(call.db, call.organization, missing)
  const text = features.map(({ id, feature }) => feature ?? written?.get(id) ?? 'null').join(entryEnd)
  return text.split(baseMark).join(prefix)
}

/** One text per Feature, read after reserving memory for all. The base URL is inserted when a Feature is sent. */
async function longTexts(
  call: FeatureCall,
  features: readonly FoundFeature[],
  prefix: string,
  part_bytes: number,
): Promise<Entries> {
  call.reserve(bytesOf(features))
  const texts: string[] = []
  for (const part of partsOf(features, part_bytes)) {
    call.signal.throwIfAborted()
    const ids = part.map(({ id }) => id)
    const kept = await findWritten(call.db, call.organization, ids)
    const missing = part.filter(({ id }) => !kept.has(id))
    const written = missing.length === 0 ? kept : await writeFeatures(call.db, call.organization, missing)
    texts.push(...ids.map((id) => kept.get(id) ?? written.get(id) ?? 'null'))
  }
  return { texts, turn: (text) => text.split(baseMark).join(prefix) }
}
