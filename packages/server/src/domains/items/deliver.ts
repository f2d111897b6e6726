import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { Tx } from '../../platform/database/database.ts'
import { addItem, tryAddItem, type AssetToAdd, type ItemToAdd } from './add-item.ts'
import type { ItemMetadataWriter } from './metadata-limit.ts'
import { isReservedProperty } from './stac/stac-feature.ts'

/** A file whose bytes are already in blob storage. */
export interface DeliveredAsset extends Omit<AssetToAdd, 'external_href'> {
  readonly blob_path: string
  readonly file_size_bytes: number
  readonly checksum_sha256: string
}

/** A delivered scene as an `ItemToAdd`. */
export interface DeliveredItem extends Omit<ItemToAdd, 'type' | 'stac_id' | 'bbox' | 'lineage'> {
  readonly collection_id: string
  readonly order_id: string
  readonly scene_key: string
  readonly geometry: Geometry
  readonly properties: Readonly<Record<string, unknown>>
  readonly assets: readonly DeliveredAsset[]
}

/** Scene properties that describe the host's files; stored files are described by their assets. */
const fileProperties = /^(proj|raster|file|eo):/
const alwaysKept: ReadonlySet<string> = new Set(['eo:cloud_cover', 'eo:snow_cover'])
/** Licence properties, which are never removed. */
const licenceProperties: ReadonlySet<string> = new Set(['license', 'attribution', 'providers'])

type Properties = Readonly<Record<string, unknown>>

/**
 * Writes a delivered scene in one transaction: the item, its assets and their bytes, the lineage edge to its order and
 * the event. A scene that the order has already delivered is skipped. If the metadata exceeds the limit, the longest
 * properties are omitted: a paid scene is always delivered. Throws `validation` for a geometry that cannot be stored.
 */
export async function addDeliveredItem(tx: Tx, actor: ItemMetadataWriter, item: DeliveredItem): Promise<void> {
  const properties = Object.entries(item.properties).filter(
    ([name]) => alwaysKept.has(name) || !fileProperties.test(name),
  )
  const itemToAdd: ItemToAdd = {
    ...item,
    type: 'satellite_capture',
    properties: Object.fromEntries(properties),
    lineage: [{ relation: 'delivered_by', dst: { type: 'order', id: item.order_id } }],
  }
  if ((await tryAddItem(tx, actor, itemToAdd)) !== 'too-large') return
  const shortenedItem = {
    ...itemToAdd,
    properties: shortenProperties(itemToAdd.properties ?? {}, actor.quotas.item_metadata_bytes / 4),
  }
  await addItem(tx, actor, shortenedItem, { allowOversizedMetadata: true })
}

/**
 * Keeps protected properties and the shortest others up to a total length; `service:omitted_properties` counts the rest.
 * Callers pass much less than the metadata limit: PostgreSQL may print numbers longer, and assets count as well.
 */
function shortenProperties(properties: Properties, limit_bytes: number): Properties {
  const isProtected = (name: string): boolean =>
    licenceProperties.has(name) || alwaysKept.has(name) || isReservedProperty(name)
  const removable = Object.entries(properties)
    .filter(([name]) => !isProtected(name))
    .map(([name, value]) => ({ name, bytes: Buffer.byteLength(JSON.stringify([name, value])) }))
    .toSorted((left, right) => left.bytes - right.bytes)
  let bytes = 0
  const fittingNames = new Set(removable.filter((one) => (bytes += one.bytes) <= limit_bytes).map(({ name }) => name))
  return {
    ...Object.fromEntries(Object.entries(properties).filter(([name]) => isProtected(name) || fittingNames.has(name))),
    'service:omitted_properties': removable.length - fittingNames.size,
  }
}
