import { isDeepStrictEqual } from 'node:util'
import type { StacAsset, StacItem, StacLink } from '@swath/contract/shapes/stac.ts'
import type { Call } from '../../engine/call.ts'
import { entityTag, isMatch } from '../../engine/entity-tag.ts'
import { invariant, Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { requireRoom } from '../uploads/reservation.ts'
import { missingItem } from '../items/access.ts'
import { assetRow, type AddedAsset } from '../items/add-item.ts'
import { announceItem } from '../items/announce.ts'
import { featuresOf } from '../items/features.ts'
import { dimensionOf } from '../items/geometry.ts'
import { checkMetadata, largestOf } from '../items/metadata-limit.ts'
import { stacAssetsOf } from '../items/stac-asset.ts'
import { extensionsOf } from '../items/stac-extensions.ts'
import { sourceOrNull } from '../items/stac-source.ts'
import { reservedOf, stacProperties } from '../items/stac-feature.ts'
import { readFeature, type ReadFeature } from '../items/stac-in/read-feature.ts'
import { countReaders } from '../items/store.asset-life.ts'
import { assetsOf, insertAssets, type AssetRow } from '../items/store.assets.ts'
import { lockItems, setStacAssets, updateItem, type LockedItem } from '../items/store.life.ts'
import { findStacRows, type StacRow } from '../items/store.ts'
import { removeAssets } from '../items/tombstone.ts'

type Members = Readonly<Record<string, unknown>>

/** An update of an item's Feature. */
export interface Replacement {
  readonly item: { readonly id: string; readonly project_id: string }
  /** The If-Match header: entity tags, one of which must match; null for an unconditional update. */
  readonly if_match: string | null
  /** Base URL of the Feature. */
  readonly base: string
  /** Creates the new Feature from the current one. */
  readonly next: (current: StacItem) => Members
}

/**
 * Replaces an item's geometry, times, properties, links and remote assets in one transaction. Stored assets and their
 * metadata are kept. Throws `precondition-failed` if no entity tag matches, and errors of `parseStacItem`.
 */
export function replaceItem(call: Call, { item, if_match, base, next }: Replacement): Promise<StacItem> {
  return call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, item.project_id)
    const before = await lockMatching(tx, call, item.id, if_match, base)
    const current = await featureOf(tx, call, before, base)
    const { assets, geometry, bbox = null, ...read } = readOwnFeature(next(current), current, before)
    const stac_assets = await replaceAssets(tx, call, item.id, assets)
    const now = call.clock.now()
    const after = {
      ...before,
      name: read.name.slice(0, 500),
      description: read.description ?? null,
      datetime: read.datetime,
      start_datetime: read.start_datetime ?? null,
      end_datetime: read.end_datetime ?? null,
      cloud_cover: read.cloud_cover ?? null,
      gsd: read.gsd ?? null,
      properties: { ...read.properties, ...reservedOf(before.properties) },
      links: read.links ?? [],
      // The update happens here, so `updated` is no longer that of the source.
      stac_source: sourceOrNull({ ...read.stac_source, updated: undefined }),
      updated_at: now,
    }
    const stac_extensions = extensionsOf(read.stac_extensions ?? [], stacProperties(after), stac_assets)
    const place = { geometry, dimension: geometry && dimensionOf(geometry), bbox }
    const row = await updateItem(tx, call.organization, item.id, { ...after, place, stac_extensions })
    if (row.empty) throw validationProblem([{ path: 'geometry', message: 'covers no area' }])
    const bytes = await setStacAssets(tx, call.organization, item.id, { stac_assets, stac_extensions }, now)
    checkMetadata(call, before.metadata_bytes, bytes, largestOf({ properties: row.properties, assets: stac_assets }))
    await requireRoom(tx, call.organization)
    const [written] = await findStacRows(tx, call.organization, [item.id])
    invariant(written, 'the item was updated in this transaction')
    const feature = await featureOf(tx, call, written, base)
    await announceItem(tx, call, 'item.updated', row, { changed: changedMembers(current, feature) })
    return feature
  })
}

/** Locks the item if it exists and matches one of the entity tags. */
export async function lockMatching(
  tx: Tx,
  call: Call,
  id: string,
  if_match: string | null,
  base: string,
): Promise<LockedItem> {
  const [item] = await lockItems(tx, call.organization, [id])
  if (!item || item.deleted_at !== null) throw missingItem(id)
  if (if_match === null) return item
  const tag = entityTag(JSON.stringify(await featureOf(tx, call, item, base)))
  if (!isMatch(if_match, tag)) {
    throw new Problem('precondition-failed', 'The item has changed since it was read.', { etag: tag })
  }
  return item
}

async function featureOf(tx: Tx, call: Call, row: StacRow, base: string): Promise<StacItem> {
  const [feature] = await featuresOf(tx, call.organization, [structuredClone(row)], base)
  invariant(feature, 'each row yields one Feature')
  return feature
}

/** Parses the new Feature of an existing item, without the links that the platform generates. */
function readOwnFeature(given: Members, current: StacItem, before: LockedItem): ReadFeature {
  const faults: Fault[] = []
  const isSame = (link: StacLink, other: StacLink): boolean => link.rel === other.rel && link.href === other.href
  const added = current.links.filter((link) => !before.links.some((own) => isSame(own, link)))
  const links = (Array.isArray(given['links']) ? (given['links'] as StacLink[]) : []).filter(
    (link) => link?.rel !== 'self' && !added.some((one) => isSame(one, link)),
  )
  const read = readFeature({ ...given, links }, faults, { verbatim: true })
  if (read && read.stac_id !== current.id) faults.push({ path: 'id', message: 'is not the id in the URL' })
  if (read && read.collection !== null && read.collection.toLowerCase() !== current.collection) {
    faults.push({ path: 'collection', message: 'is not the collection in the URL' })
  }
  if (!read || faults.length > 0) throw validationProblem(faults)
  return read
}

/** True if a remote asset is unchanged. */
const isUnchanged = (asset: AssetRow, given: GivenAsset): boolean =>
  isDeepStrictEqual(
    [asset.external_href, asset.title, asset.media_type, asset.roles, asset.stac],
    [given.external_href ?? null, given.title, given.media_type, [...given.roles], given.stac ?? {}],
  )

type GivenAsset = Omit<AddedAsset, 'id'>

/** Replaces changed remote assets; returns the STAC assets of the item. */
async function replaceAssets(
  tx: Tx,
  call: Call,
  item_id: string,
  given: readonly GivenAsset[],
): Promise<Record<string, StacAsset>> {
  const there = await assetsOf(tx, call.organization, item_id)
  const stored = new Set(there.filter(({ external_href }) => external_href === null).map(({ key }) => key))
  const byKey = new Map(given.map((asset) => [asset.key, asset]))
  const stays = (asset: AssetRow): boolean => {
    const next = byKey.get(asset.key)
    return stored.has(asset.key) || (next !== undefined && isUnchanged(asset, next))
  }
  const gone = there.filter((asset) => !stays(asset)).map(({ id }) => id)
  for (const id of gone) {
    const readers = await countReaders(tx, call.organization, id)
    if (readers > 0)
      throw new Problem('invalid-state', 'A job is reading an asset; change it when the job is done.', { readers })
  }
  if (gone.length > 0) await removeAssets(tx, call, { assets: gone })
  const kept = new Set(there.filter(stays).map(({ key }) => key))
  const added = given.filter(({ key }) => !kept.has(key)).map((asset) => assetRow(item_id, { ...asset, id: newId() }))
  await insertAssets(tx, call.organization, added, call.clock.now())
  return stacAssetsOf(await assetsOf(tx, call.organization, item_id))
}

/** The changed members of a Feature. */
const changedMembers = (before: StacItem, after: StacItem): string[] =>
  (['geometry', 'properties', 'assets', 'links', 'stac_extensions'] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
