import { isDeepStrictEqual } from 'node:util'
import type { StacAsset, StacItem, StacLink } from '@swath/contract/schemas/stac.ts'
import type { Call } from '../../engine/call.ts'
import { computeEntityTag, ifMatchIncludes } from '../../engine/entity-tag.ts'
import { assertInvariant, Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { lockOpenProject } from '../projects/access.ts'
import { requireStorageWithinQuota } from '../uploads/reservation.ts'
import { itemNotFound } from '../items/access.ts'
import { toNewAsset, type AssetToAdd } from '../items/add-item.ts'
import { emitItemEvent } from '../items/item-events.ts'
import { rowsToStacItems } from '../items/stac/stac-items.ts'
import { geometryDimension } from '../items/geometry.ts'
import { requireMetadataWithinLimit, findLargestMetadataEntry } from '../items/metadata-limit.ts'
import { toStacAssets } from '../items/stac/stac-asset.ts'
import { resolveStacExtensions } from '../items/stac/stac-extensions.ts'
import { compactStacSource } from '../items/stac/stac-source.ts'
import { pickReservedProperties, toStacProperties } from '../items/stac/stac-feature.ts'
import { createInternalHrefCheck } from '../items/stac/import/refused-hrefs.ts'
import { parseStacItem, type ParsedStacItem } from '../items/stac/import/parse-stac-item.ts'
import { countAssetReaders } from '../items/assets/store.asset-lifecycle.ts'
import { findAssetsOfItem, insertAssets, type AssetRow } from '../items/assets/store.assets.ts'
import { lockItems, updateStacAssetRows, updateItem, type LockedItem } from '../items/store.item-lifecycle.ts'
import { findStacItemRows, type StacItemRow } from '../items/store.ts'
import { deleteAssets } from '../items/tombstone.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** An update of an item's Feature. */
export interface ItemReplacement {
  readonly item: { readonly id: string; readonly project_id: string }
  /** The If-Match header: entity tags, one of which must match; null for an unconditional update. */
  readonly if_match: string | null
  /** Base URL of the Feature. */
  readonly base: string
  /** Creates the new Feature from the current one. */
  readonly next: (current: StacItem) => JsonObject
}

/**
 * Replaces an item's geometry, times, properties, links and remote assets in one transaction. Stored assets and their
 * metadata remain. Throws `precondition-failed` if no entity tag matches, and errors of `parseStacItem`.
 */
export function replaceItem(call: Call, { item, if_match, base, next }: ItemReplacement): Promise<StacItem> {
  return call.transaction(async (tx) => {
    await lockOpenProject(tx, call, item.project_id)
    const before = await lockItemIfMatch(tx, call, { id: item.id, if_match, base })
    const current = await toFeature(tx, call, before, base)
    const { assets, geometry, bbox = null, ...parsed } = parseUpdatedFeature(call, next(current), current, before)
    const stac_assets = await replaceAssets(tx, call, item.id, assets)
    const now = call.clock.now()
    const after = {
      ...before,
      name: parsed.name.slice(0, 500),
      description: parsed.description ?? null,
      datetime: parsed.datetime,
      start_datetime: parsed.start_datetime ?? null,
      end_datetime: parsed.end_datetime ?? null,
      cloud_cover: parsed.cloud_cover ?? null,
      gsd: parsed.gsd ?? null,
      properties: { ...parsed.properties, ...pickReservedProperties(before.properties) },
      links: parsed.links ?? [],
      // The update happens here, so `updated` is no longer that of the source.
      stac_source: compactStacSource({ ...parsed.stac_source, updated: undefined }),
      updated_at: now,
    }
    const stac_extensions = resolveStacExtensions(parsed.stac_extensions ?? [], toStacProperties(after), stac_assets)
    const itemGeometry = { geometry, dimension: geometry && geometryDimension(geometry), bbox }
    const row = await updateItem(tx, call.organization, item.id, { ...after, itemGeometry, stac_extensions })
    if (row.empty) throw validationProblem([{ path: 'geometry', message: 'covers no area' }])
    const bytes = await updateStacAssetRows(tx, {
      organization: call.organization,
      id: item.id,
      stacFields: { stac_assets, stac_extensions },
      now,
    })
    requireMetadataWithinLimit(
      call,
      before.metadata_bytes,
      bytes,
      findLargestMetadataEntry({ properties: row.properties, assets: stac_assets }),
    )
    await requireStorageWithinQuota(tx, call.organization)
    const [updatedRow] = await findStacItemRows(tx, call.organization, [item.id])
    assertInvariant(updatedRow, 'the item was updated in this transaction')
    const feature = await toFeature(tx, call, updatedRow, base)
    await emitItemEvent(tx, call, {
      kind: 'item.updated',
      item: row,
      extraData: { changed: listChangedMembers(current, feature) },
    })
    return feature
  })
}

/** Locks the item if it exists and matches one of the entity tags. */
export async function lockItemIfMatch(
  tx: Tx,
  call: Call,
  { id, if_match, base }: { readonly id: string; readonly if_match: string | null; readonly base: string },
): Promise<LockedItem> {
  const [item] = await lockItems(tx, call.organization, [id])
  if (!item || item.deleted_at !== null) throw itemNotFound(id)
  if (if_match === null) return item
  const tag = computeEntityTag(JSON.stringify(await toFeature(tx, call, item, base)))
  if (!ifMatchIncludes(if_match, tag)) {
    throw new Problem('precondition-failed', 'The item has changed since it was read.', { etag: tag })
  }
  return item
}

async function toFeature(tx: Tx, call: Call, row: StacItemRow, base: string): Promise<StacItem> {
  const [feature] = await rowsToStacItems(tx, call.organization, [structuredClone(row)], base)
  assertInvariant(feature, 'each row yields one Feature')
  return feature
}

/** Parses the new Feature of an existing item, without the links that the platform generates. */
function parseUpdatedFeature(call: Call, input: JsonObject, current: StacItem, before: LockedItem): ParsedStacItem {
  const errors: FieldError[] = []
  const isSame = (link: StacLink, other: StacLink): boolean => link.rel === other.rel && link.href === other.href
  const generatedLinks = current.links.filter((link) => !before.links.some((own) => isSame(own, link)))
  const links = (Array.isArray(input['links']) ? (input['links'] as StacLink[]) : []).filter(
    (link) => link?.rel !== 'self' && !generatedLinks.some((addedLink) => isSame(addedLink, link)),
  )
  const parsed = parseStacItem({ ...input, links }, errors, {
    isInternalUrl: createInternalHrefCheck(call, current),
    verbatim: true,
  })
  if (parsed && parsed.stac_id !== current.id) errors.push({ path: 'id', message: 'is not the id in the URL' })
  if (parsed && parsed.collection !== null && parsed.collection.toLowerCase() !== current.collection) {
    errors.push({ path: 'collection', message: 'is not the collection in the URL' })
  }
  if (!parsed || errors.length > 0) throw validationProblem(errors)
  return parsed
}

/** True if a remote asset is unchanged. */
const isUnchangedAsset = (asset: AssetRow, input: FeatureAsset): boolean =>
  isDeepStrictEqual(
    [asset.external_href, asset.title, asset.media_type, asset.roles, asset.stac],
    [input.external_href ?? null, input.title, input.media_type, [...input.roles], input.stac ?? {}],
  )

type FeatureAsset = Omit<AssetToAdd, 'id'>

/** Replaces changed remote assets; returns the STAC assets of the item. */
async function replaceAssets(
  tx: Tx,
  call: Call,
  item_id: string,
  input: readonly FeatureAsset[],
): Promise<Record<string, StacAsset>> {
  const existing = await findAssetsOfItem(tx, call.organization, item_id)
  const stored = new Set(existing.filter(({ external_href }) => external_href === null).map(({ key }) => key))
  const byKey = new Map(input.map((asset) => [asset.key, asset]))
  const isRetained = (asset: AssetRow): boolean => {
    const next = byKey.get(asset.key)
    return stored.has(asset.key) || (next !== undefined && isUnchangedAsset(asset, next))
  }
  const removedIds = existing.filter((asset) => !isRetained(asset)).map(({ id }) => id)
  for (const id of removedIds) {
    const readers = await countAssetReaders(tx, call.organization, id)
    if (readers > 0)
      throw new Problem('invalid-state', 'A job is reading an asset; change it when the job is done.', { readers })
  }
  if (removedIds.length > 0) await deleteAssets(tx, call, { assets: removedIds })
  const retainedKeys = new Set(existing.filter(isRetained).map(({ key }) => key))
  const generatedLinks = input
    .filter(({ key }) => !retainedKeys.has(key))
    .map((asset) => toNewAsset(item_id, { ...asset, id: newId() }))
  await insertAssets(tx, call.organization, generatedLinks, call.clock.now())
  return toStacAssets(await findAssetsOfItem(tx, call.organization, item_id))
}

/** The changed members of a Feature. */
const listChangedMembers = (before: StacItem, after: StacItem): string[] =>
  (['geometry', 'properties', 'assets', 'links', 'stac_extensions'] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
