import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { addItem, type AddedAsset, type AddedItem } from './add-item.ts'

/** A file whose bytes are in the blobs already. */
export interface DeliveredAsset extends Omit<AddedAsset, 'external_href'> {
  readonly blob_path: string
  readonly file_size_bytes: number
  readonly checksum_sha256: string
}

/** One scene of an order as it becomes an item; as an `AddedItem`. */
export interface DeliveredItem extends Omit<AddedItem, 'type' | 'stac_id' | 'bbox' | 'lineage'> {
  readonly collection_id: string
  readonly order_id: string
  readonly scene_key: string
  readonly geometry: Geometry
  readonly properties: Readonly<Record<string, unknown>>
  readonly assets: readonly DeliveredAsset[]
}

/** Fields of a host's scene that speak of its own files; ours are described with our assets. */
const ofFiles = /^(proj|raster|file|eo):/
const kept: ReadonlySet<string> = new Set(['eo:cloud_cover', 'eo:snow_cover'])

/**
 * Writes a delivered scene: the item, its assets and their bytes, the edge to its order and the event, in one
 * transaction. A scene that the order has delivered before changes nothing. Throws `validation` for a geometry that
 * cannot be stored.
 */
export async function addDeliveredItem(tx: Tx, actor: Actor, item: DeliveredItem): Promise<void> {
  const properties = Object.entries(item.properties).filter(([name]) => kept.has(name) || !ofFiles.test(name))
  await addItem(tx, actor, {
    ...item,
    type: 'satellite_capture',
    properties: Object.fromEntries(properties),
    lineage: [{ relation: 'delivered_by', dst: { type: 'order', id: item.order_id } }],
  })
}
