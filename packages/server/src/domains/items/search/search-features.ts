import type { SerializedEntries } from '../../../engine/operation-response.ts'
import { entrySeparator } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { sumBytes, defaultPageSizes, splitByBytes, type PageSizes } from './page-size.ts'
import { findCachedFeatures } from './store.feature-cache.ts'
import { listFoundFeatureRows, type MeasuredFeature, type AdjustPageCount } from './store.search.ts'
import type { ItemSearch } from './store.search-conditions.ts'
import type { SortCursor } from './store.sort.ts'
import { basePlaceholder, serializeFeatures } from './feature-serializer.ts'

/** A page of serialized STAC Features. */
export interface FeaturePage {
  readonly features: SerializedEntries
  readonly returned: number
  readonly matched: number
  /** The cursor of the next page; null if there is none. */
  readonly next: SortCursor | null
}

type FeatureCall = Pick<Call, 'organization' | 'db' | 'itemSearchDb' | 'reserveResponseBytes' | 'signal' | 'clock'>

/** The limits of a page: its byte sizes, and how many rows to return if it ends early. */
export interface PageOptions {
  readonly fit?: AdjustPageCount
  readonly sizes?: PageSizes
}

/** A page of serialized STAC Features, with URLs based on `base`. It ends early if they are large. */
export async function searchFeaturePage(
  call: FeatureCall,
  search: Omit<ItemSearch, 'now'>,
  base: string,
  { fit: adjustCount, sizes = defaultPageSizes }: PageOptions = {},
): Promise<FeaturePage> {
  const conditions = { ...search, now: call.clock.now() }
  const measured = await listFoundFeatureRows(call.itemSearchDb, call.organization, conditions, {
    adjustCount,
    sizes: scalePageSizes(base, sizes),
  })
  const { features, whole, matched, next } = measured
  // Escaped as within a JSON string.
  const prefix = JSON.stringify(base).slice(1, -1)
  const entries = whole
    ? await readShortPage(call, features, prefix)
    : await readLongPage(call, features, prefix, sizes.part_bytes)
  return { features: entries, returned: features.length, matched, next }
}

/** Measured sizes include base URLs of normal length; a longer base may occur once per hundred bytes. */
const scalePageSizes = (base: string, { max_bytes, part_bytes }: PageSizes): PageSizes => {
  const factor = Math.max(1, base.length / 100)
  return { max_bytes: max_bytes / factor, part_bytes: Math.floor(part_bytes / factor) }
}

/** All Features in one text: much faster than one by one for thousands. */
async function readShortPage(call: FeatureCall, features: readonly MeasuredFeature[], prefix: string): Promise<string> {
  const missing = features.filter(({ feature }) => feature === null)
  const serialized = missing.length === 0 ? null : await serializeFeatures(call.db, call.organization, missing)
  const text = features.map(({ id, feature }) => feature ?? serialized?.get(id) ?? 'null').join(entrySeparator)
  return text.replaceAll(basePlaceholder, () => prefix)
}

/** One text per Feature, read after reserving memory for all. The base URL is inserted when a Feature is sent. */
async function readLongPage(
  call: FeatureCall,
  features: readonly MeasuredFeature[],
  prefix: string,
  part_bytes: number,
): Promise<SerializedEntries> {
  call.reserveResponseBytes(sumBytes(features))
  const texts: string[] = []
  for (const part of splitByBytes(features, part_bytes)) {
    call.signal.throwIfAborted()
    const ids = part.map(({ id }) => id)
    const cached = await findCachedFeatures(call.db, call.organization, ids)
    const missing = part.filter(({ id }) => !cached.has(id))
    const serialized = missing.length === 0 ? cached : await serializeFeatures(call.db, call.organization, missing)
    texts.push(...ids.map((id) => cached.get(id) ?? serialized.get(id) ?? 'null'))
  }
  return { texts, turn: (text) => text.replaceAll(basePlaceholder, () => prefix) }
}
