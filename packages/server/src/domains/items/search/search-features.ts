import { type SerializedEntries, serializedEntrySeparator } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { type PageByteLimits, defaultPageByteLimits, splitRowsByBytes, sumRowBytes } from './page-size.ts'
import { findCachedFeatures, findItemRowsWithRevision, upsertCachedFeatures } from './store.feature-cache.ts'
import { type AdjustPageFeatureCount, type FeatureWithSize, listFoundFeatureRows } from './store.search.ts'
import type { ItemSearch } from './store.search-conditions.ts'
import type { SortCursor } from './store.sort.ts'
import { stacItemsGetOperation } from '@swath/contract/operations/stac.items.ts'
import { requireValidOutput } from '../../../engine/input/read-input.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { rowsToStacItems } from '../stac/stac-items.ts'

/** Placeholder of the base URL. JSON.stringify escapes control characters, so it never occurs in its output. */
export const baseUrlPlaceholder = '\u0001'

/** An item whose Feature is to be serialized. */
interface UnserializedItem {
  readonly id: string
  /** Estimated size of its Feature. */
  readonly bytes: number
}

/**
 * Serializes the STAC Features of items, with `baseUrlPlaceholder` for the base URL, and caches them for later searches.
 * Returns the texts by item id. The first one is validated here, as a sample, and no cached one with a response: reading it
 * again takes longer than the rest of a short page.
 */
export async function serializeFeatures(
  db: SqlStatementRunner,
  organization: string,
  items: readonly UnserializedItem[],
): Promise<Map<string, string>> {
  const serialized = new Map<string, string>()
  for (const part of splitRowsByBytes(items, defaultPageByteLimits.part_bytes)) {
    const ids = part.map(({ id }) => id)
    const rows = await findItemRowsWithRevision(db, organization, ids)
    // A new random id cannot occur in item data, so it can be replaced safely.
    const base = newId()
    const features = await rowsToStacItems(db, organization, rows, base)
    if (features[0]) requireValidOutput(stacItemsGetOperation, features[0])
    const texts = features.map((feature, index) => ({
      item_id: rows[index]!.id,
      revision: rows[index]!.revision,
      feature: JSON.stringify(feature).replaceAll(base, baseUrlPlaceholder),
    }))
    await upsertCachedFeatures(db, organization, texts)
    for (const { item_id, feature } of texts) serialized.set(item_id, feature)
  }
  return serialized
}

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
  readonly fit?: AdjustPageFeatureCount
  readonly sizes?: PageByteLimits
}

/** A page of serialized STAC Features, with URLs based on `base`. It ends early if they are large. */
export async function searchFeaturePage(
  call: FeatureCall,
  search: Omit<ItemSearch, 'now'>,
  base: string,
  { fit: adjustCount, sizes = defaultPageByteLimits }: PageOptions = {},
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
const scalePageSizes = (base: string, { max_bytes, part_bytes }: PageByteLimits): PageByteLimits => {
  const factor = Math.max(1, base.length / 100)
  return { max_bytes: max_bytes / factor, part_bytes: Math.floor(part_bytes / factor) }
}

/** All Features in one text: much faster than one by one for thousands. */
async function readShortPage(call: FeatureCall, features: readonly FeatureWithSize[], prefix: string): Promise<string> {
  const missing = features.filter(({ feature }) => feature === null)
  const serialized = missing.length === 0 ? null : await serializeFeatures(call.db, call.organization, missing)
  const text = features
    .map(({ id, feature }) => feature ?? serialized?.get(id) ?? 'null')
    .join(serializedEntrySeparator)
  return text.replaceAll(baseUrlPlaceholder, () => prefix)
}

/** One text per Feature, read after reserving memory for all. The base URL is inserted when a Feature is sent. */
async function readLongPage(
  call: FeatureCall,
  features: readonly FeatureWithSize[],
  prefix: string,
  part_bytes: number,
): Promise<SerializedEntries> {
  call.reserveResponseBytes(sumRowBytes(features))
  const texts: string[] = []
  for (const part of splitRowsByBytes(features, part_bytes)) {
    call.signal.throwIfAborted()
    const ids = part.map(({ id }) => id)
    const cached = await findCachedFeatures(call.db, call.organization, ids)
    const missing = part.filter(({ id }) => !cached.has(id))
    const serialized = missing.length === 0 ? cached : await serializeFeatures(call.db, call.organization, missing)
    texts.push(...ids.map((id) => cached.get(id) ?? serialized.get(id) ?? 'null'))
  }
  return { texts, turn: (text) => text.replaceAll(baseUrlPlaceholder, () => prefix) }
}
