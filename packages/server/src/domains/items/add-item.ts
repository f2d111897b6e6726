import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { ItemType } from '@swath/contract/schemas/item.ts'
import type { StacLink } from '@swath/contract/schemas/stac.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import type { ProvenanceEntity, RecordedRelation } from '../provenance/edge.ts'
import { recordProvenance } from '../provenance/record-provenance.ts'
import { recordStoredBytes } from '../usage/stored-bytes.ts'
import { computeGeometryBbox, geometryDimension, validateGeometry } from './geometry.ts'
import { findLargestMetadataEntry, createMetadataTooLargeProblem, type ItemMetadataWriter } from './metadata-limit.ts'
import { resolveBandNames, type RasterMetadata } from './assets/raster-metadata.ts'
import { computeItemExpiry } from './retention/retention.ts'
import { toStacAssets } from './stac/stac-asset.ts'
import { resolveStacExtensions } from './stac/stac-extensions.ts'
import { derivedProperties, toStacProperties } from './stac/stac-feature.ts'
import { toSourceGeometry, compactStacSource, type ItemFeatureExtraMembers } from './stac/stac-source.ts'
import { insertAssets, type NewAsset } from './assets/store.assets.ts'
import { insertItems, type ItemInsertOutcome, type NewItem } from './store.ts'

/** An asset to add: its bytes are already in blob storage, or it is hosted elsewhere. */
export interface AssetToAdd {
  readonly id: string
  /** Unique in the item: `data`, then `data_2`, …, and `thumbnail`. */
  readonly key: string
  readonly title: string | null
  /** Path of the stored bytes; null for a file hosted elsewhere. */
  readonly blob_path: string | null
  /** `https:` or `s3:`, instead of `blob_path`. */
  readonly external_href?: string | null
  readonly media_type: string
  readonly roles: readonly string[]
  readonly file_size_bytes: number | null
  /** Hexadecimal, lower case. */
  readonly checksum_sha256: string | null
  /** The result of `readRasterMetadata`; null for files that are not rendered, such as a thumbnail or a vector file. */
  readonly raster: RasterMetadata | null
  /** Default: the band names of the raster. */
  readonly band_names?: readonly string[]
  /** Additional members of the STAC asset, such as `description` or `proj:shape`; columns take precedence. */
  readonly stac?: Readonly<Record<string, unknown>>
}

/** An item to add; omitted members are null or empty. */
export interface ItemToAdd {
  readonly id: string
  readonly project_id: string
  readonly collection_id: string | null
  readonly type: ItemType
  /** Cut to 500 characters. */
  readonly name: string
  /** Unique in the organization; default: the id. */
  readonly stac_id?: string
  readonly description?: string | null
  readonly geometry: Geometry | null
  /** West, south, east, north; computed from the geometry if omitted. */
  readonly bbox?: readonly number[] | null
  readonly datetime: Date | null
  readonly start_datetime?: Date | null
  readonly end_datetime?: Date | null
  /** Per cent. */
  readonly cloud_cover?: number | null
  /** Metres. */
  readonly gsd?: number | null
  /** Additional STAC properties; `service:source` and `service:item_id` are dropped. */
  readonly properties?: Readonly<Record<string, unknown>>
  /** Schema URLs; those of eo, file, proj, raster and view are derived from the contents. */
  readonly stac_extensions?: readonly string[]
  /** Such as the text of the licence (`rel: license`). */
  readonly links?: readonly StacLink[]
  /** Members of the source Feature that no column stores. */
  readonly stac_source?: ItemFeatureExtraMembers | null
  readonly order_id?: string | null
  /** The scene's key in the order: delivered once per order. */
  readonly scene_key?: string | null
  /** Makes `service:source` ARCHIVE. */
  readonly upload_id?: string | null
  /** Makes `service:source` PROCESSING. */
  readonly job_id?: string | null
  readonly duplicated_from_id?: string | null
  /** Upper bound of `expires_at`: a copy does not expire later than its source. */
  readonly max_expires_at?: Date | null
  readonly assets?: readonly AssetToAdd[]
  /** Lineage edges from the item, such as `produced_by` a job or `uploaded_by` an upload. */
  readonly lineage?: readonly { readonly relation: RecordedRelation; readonly dst: ProvenanceEntity }[]
}

export interface AddItemOptions {
  /** The assets share blobs whose bytes are already counted. */
  readonly sharesBytes?: boolean
  /** Skips the metadata size limit. */
  readonly allowOversizedMetadata?: boolean
}

/**
 * Creates an item in one transaction: the row, its assets and their stored bytes, its lineage, its retention and the
 * event `item.created`. Used for delivered scenes, uploads, job outputs and copies. Checks neither permissions nor the
 * storage quota. Returns false, without writing, if its order has already delivered the scene. Throws `validation` for
 * a geometry that cannot be stored or metadata beyond the limit, and `stac-id-taken`.
 */
export async function addItem(
  tx: Tx,
  actor: ItemMetadataWriter,
  item: ItemToAdd,
  options: AddItemOptions = {},
): Promise<boolean> {
  const outcome = await tryAddItem(tx, actor, item, options)
  if (outcome === 'too-large') throw createMetadataTooLargeProblem(actor, findLargestMetadataMember(item))
  return outcome === 'inserted'
}

/** The same, but returns `too-large` for metadata beyond the limit; `repeated` if the order has delivered the scene. */
export async function tryAddItem(
  tx: Tx,
  actor: ItemMetadataWriter,
  item: ItemToAdd,
  options: AddItemOptions = {},
): Promise<'inserted' | 'repeated' | 'too-large'> {
  const error = item.geometry === null ? null : validateGeometry(item.geometry)
  if (error) throw validationProblem([error])
  const [outcome] = await addItems(tx, actor, [item], options)
  if (outcome === 'inserted' || outcome === 'too-large') return outcome
  if (outcome === 'collapsed') throw validationProblem([{ path: 'geometry', message: 'covers no area' }])
  if (item.scene_key) return 'repeated'
  throw stacIdTaken(item.stac_id ?? item.id)
}

/** The input member that takes most of an item's metadata. */
export const findLargestMetadataMember = ({ properties, assets, links, description }: ItemToAdd): string =>
  findLargestMetadataEntry({ properties, assets: (assets ?? []).map(({ stac }) => stac), links, description })

/**
 * Like `addItem`, for many items with few statements; returns the outcome of each in order. Their geometries must have
 * passed `validateGeometry`.
 */
export async function addItems(
  tx: Tx,
  actor: ItemMetadataWriter,
  items: readonly ItemToAdd[],
  options: AddItemOptions = {},
): Promise<ItemInsertOutcome[]> {
  const now = actor.clock.now()
  const expires_at = await computeItemExpiry(tx, actor.organization, now)
  const prepared = items.map((item) => ({
    item,
    assets: (item.assets ?? []).map((asset) => toNewAsset(item.id, asset)),
  }))
  const insertContext = { organization_id: actor.organization, created_by: actor.principal.id, created_at: now }
  const rows = prepared.map(({ item, assets }) => toNewItem(item, assets, now, expires_at))
  const limit_bytes = options.allowOversizedMetadata ? null : actor.quotas.item_metadata_bytes
  const outcomes = await insertItems(tx, insertContext, rows, limit_bytes)
  const added = prepared.filter(({ item }) => outcomes.get(item.id) === 'inserted')
  const assets = added.flatMap((entry) => entry.assets)
  await insertAssets(tx, actor.organization, assets, now)
  if (!options.sharesBytes) await recordAssetBytes(tx, actor, assets)
  await recordProvenance(
    tx,
    actor,
    added.flatMap(({ item }) =>
      (item.lineage ?? []).map(({ relation, dst }) => ({ relation, src: { type: 'item', id: item.id }, dst })),
    ),
  )
  for (const { item } of added) await emitItemCreated(tx, actor, item)
  return items.map((item) => outcomes.get(item.id) ?? 'taken')
}

const emitItemCreated = (tx: Tx, actor: Actor, item: ItemToAdd): Promise<void> =>
  emitEvent(tx, actor, {
    kind: 'item.created',
    entity_type: 'item',
    entity_id: item.id,
    project_id: item.project_id,
    data: {
      project_id: item.project_id,
      collection_id: item.collection_id,
      name: item.name.slice(0, 500),
      type: item.type,
      ...(item.order_id ? { order_id: item.order_id } : {}),
    },
  })

/** Converts an item to its row. */
export function toNewItem(
  item: ItemToAdd,
  assets: readonly NewAsset[],
  now: OrganizationTime,
  expires_at: Date | null,
): NewItem {
  const { geometry } = item
  const row = {
    id: item.id,
    project_id: item.project_id,
    collection_id: item.collection_id,
    stac_id: item.stac_id ?? item.id,
    type: item.type,
    name: item.name.slice(0, 500),
    description: item.description ?? null,
    geometry,
    dimension: geometry && geometryDimension(geometry),
    bbox: item.bbox ?? (geometry && computeGeometryBbox(geometry)),
    datetime: item.datetime,
    start_datetime: item.start_datetime ?? null,
    end_datetime: item.end_datetime ?? null,
    cloud_cover: item.cloud_cover ?? null,
    gsd: item.gsd ?? null,
    properties: Object.fromEntries(
      Object.entries(item.properties ?? {}).filter(([name]) => !derivedProperties.has(name)),
    ),
    links: item.links ?? [],
    stac_source: item.stac_source ?? compactStacSource(toSourceGeometry(geometry)),
    stac_assets: toStacAssets(assets),
    expires_at: earlierOf(expires_at, item.max_expires_at ?? null),
    duplicated_from_id: item.duplicated_from_id ?? null,
    order_id: item.order_id ?? null,
    scene_key: item.scene_key ?? null,
    upload_id: item.upload_id ?? null,
    job_id: item.job_id ?? null,
  }
  const properties = toStacProperties({ ...row, created_at: now, updated_at: now })
  return { ...row, stac_extensions: resolveStacExtensions(item.stac_extensions ?? [], properties, row.stac_assets) }
}

/** No expiry stays no expiry, also for copies. */
const earlierOf = (end: Date | null, limit: Date | null): Date | null =>
  end !== null && limit !== null && limit < end ? limit : end

/** Converts an asset to its row; `ready` means that its bytes are stored. */
export const toNewAsset = (item_id: string, asset: AssetToAdd): NewAsset => ({
  id: asset.id,
  item_id,
  key: asset.key,
  title: asset.title,
  blob_path: asset.blob_path,
  external_href: asset.external_href ?? null,
  media_type: asset.media_type,
  roles: asset.roles,
  file_size_bytes: asset.file_size_bytes,
  checksum_sha256: asset.checksum_sha256,
  band_names: asset.band_names ?? (asset.raster ? resolveBandNames(asset.raster) : []),
  raster: asset.raster,
  stac: asset.stac ?? {},
  ready: asset.blob_path !== null,
})

/** Records the bytes of assets as stored. */
export async function recordAssetBytes(tx: Tx, actor: Actor, assets: readonly NewAsset[]): Promise<void> {
  const rows = assets.flatMap(({ id, blob_path, file_size_bytes }) =>
    blob_path === null
      ? []
      : [{ asset_id: id, object_path: blob_path, bytes_delta: file_size_bytes ?? 0, cause: 'delivered' as const }],
  )
  await recordStoredBytes(tx, actor, rows)
}

/** The problem of a STAC id that another item of the collection has, or another of the project that is in none. */
export const stacIdTaken = (stac_id: string | null): Problem =>
  new Problem('stac-id-taken', `Another item of the collection has the stac_id "${stac_id}".`)
