import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import type { StacLink } from '@swath/contract/shapes/stac.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emit, type Actor } from '../events/emit.ts'
import { record } from '../provenance/record.ts'
import { recordBytes } from '../usage/stored-bytes.ts'
import { boxOf, dimensionOf, geometryFault } from './geometry.ts'
import { bandNamesOf, type RasterFacts } from './raster-facts.ts'
import { insertAsset } from './store.assets.ts'
import { insertItem } from './store.ts'

/** A file whose bytes are in the blobs already. */
export interface DeliveredAsset {
  readonly id: string
  /** `data`, then `data_2`, …, and `thumbnail`. */
  readonly key: string
  readonly title: string | null
  readonly blob_path: string
  readonly media_type: string
  readonly roles: readonly string[]
  readonly file_size_bytes: number
  /** Hexadecimal, lower case. */
  readonly checksum_sha256: string
  /** From `rasterFactsOf`; null for a picture such as a thumbnail. */
  readonly raster: RasterFacts | null
}

/** One scene of an order as it becomes an item. */
export interface DeliveredItem {
  readonly id: string
  readonly project_id: string
  readonly collection_id: string
  readonly order_id: string
  /** What the order calls the scene, such as `host:scene id`: delivered once per order. */
  readonly scene_key: string
  readonly name: string
  readonly description?: string | null
  readonly geometry: Geometry
  readonly datetime: Date | null
  readonly start_datetime?: Date | null
  readonly end_datetime?: Date | null
  readonly cloud_cover: number | null
  readonly gsd: number | null
  /** Beside the scene's own: `license` and `providers` as STAC spells them. */
  readonly properties: Readonly<Record<string, unknown>>
  /** Such as the text of the licence (`rel: license`). */
  readonly links?: readonly StacLink[]
  readonly assets: readonly DeliveredAsset[]
}

/**
 * Writes a delivered scene: the item, its assets and their bytes, the edge to its order and the event, in one
 * transaction. A scene that the order has delivered before changes nothing. Throws `validation` for a geometry that
 * cannot be stored.
 */
export async function addDeliveredItem(tx: Tx, actor: Actor, item: DeliveredItem): Promise<void> {
  const fault = geometryFault(item.geometry)
  if (fault) throw validationProblem([fault])
  const now = actor.clock.now()
  const inserted = await insertItem(tx, {
    organization_id: actor.organization,
    id: item.id,
    project_id: item.project_id,
    collection_id: item.collection_id,
    stac_id: item.id,
    type: 'satellite_capture',
    name: item.name.slice(0, 500),
    description: item.description ?? null,
    geometry: item.geometry,
    dimension: dimensionOf(item.geometry),
    bbox: boxOf(item.geometry),
    datetime: item.datetime,
    start_datetime: item.start_datetime ?? null,
    end_datetime: item.end_datetime ?? null,
    cloud_cover: item.cloud_cover,
    gsd: item.gsd,
    properties: item.properties,
    stac_extensions: [],
    links: item.links ?? [],
    order_id: item.order_id,
    scene_key: item.scene_key,
    upload_id: null,
    job_id: null,
    created_by: actor.principal.id,
    created_at: now,
  })
  if (inserted === 'exists') return
  if (inserted === 'collapsed') throw validationProblem([{ path: 'geometry', message: 'covers no area' }])
  await addAssets(tx, actor, item, now)
  await record(tx, actor, [
    { relation: 'delivered_by', src: { type: 'item', id: item.id }, dst: { type: 'order', id: item.order_id } },
  ])
  await emit(tx, actor, {
    kind: 'item.created',
    entity_type: 'item',
    entity_id: item.id,
    data: {
      project_id: item.project_id,
      collection_id: item.collection_id,
      name: item.name,
      type: 'satellite_capture',
      order_id: item.order_id,
    },
  })
}

async function addAssets(tx: Tx, actor: Actor, item: DeliveredItem, now: Date): Promise<void> {
  for (const asset of item.assets) {
    await insertAsset(tx, {
      ...asset,
      organization_id: actor.organization,
      item_id: item.id,
      external_href: null,
      band_names: asset.raster ? bandNamesOf(asset.raster) : [],
      ready: true,
      created_at: now,
    })
  }
  const bytes = item.assets.map(({ id, blob_path, file_size_bytes }) => ({
    asset_id: id,
    object_path: blob_path,
    bytes_delta: file_size_bytes,
    cause: 'delivered' as const,
  }))
  await recordBytes(tx, actor, bytes)
}
