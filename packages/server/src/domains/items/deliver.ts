import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { addItem, addItems, type AddedAsset, type AddedItem } from './add-item.ts'
import { geometryFault } from './geometry.ts'
import type { ItemWriter } from './metadata-limit.ts'
import { isReserved } from './stac-feature.ts'

/** A file whose bytes are already in blob storage. */
export interface DeliveredAsset extends Omit<AddedAsset, 'external_href'> {
  readonly blob_path: string
  readonly file_size_bytes: number
  readonly checksum_sha256: string
}

/** A delivered scene as an `ItemToAdd`. */
export interface DeliveredItem extends Omit<AddedItem, 'type' | 'stac_id' | 'bbox' | 'lineage'> {
  readonly collection_id: string
  readonly order_id: string
  readonly scene_key: string
  readonly geometry: Geometry
  readonly properties: Readonly<Record<string, unknown>>
  readonly assets: readonly DeliveredAsset[]
}

/** Scene properties that describe the host's files; stored files are described by their assets. */
const ofFiles = /^(proj|raster|file|eo):/
const kept: ReadonlySet<string> = new Set(['eo:cloud_cover', 'eo:snow_cover'])
/** Licence properties, which are always kept. */
const terms: ReadonlySet<string> = new Set(['license', 'attribution', 'providers'])

type Properties = Readonly<Record<string, unknown>>

/**
 * Writes a delivered scene in one transaction: the item, its assets and their bytes, the lineage edge to its order and
 * the event. A scene that the order has already delivered is skipped. If the metadata exceeds the limit, the longest
 * properties are omitted: a paid scene is always delivered. Throws `validation` for a geometry that cannot be stored.
 */
export async function addDeliveredItem(tx: Tx, actor: ItemWriter, item: DeliveredItem): Promise<void> {
  const properties = Object.entries(item.properties).filter(([name]) => kept.has(name) || !ofFiles.test(name))
  const whole: AddedItem = {
    ...item,
    type: 'satellite_capture',
    properties: Object.fromEntries(properties),
    lineage: [{ relation: 'delivered_by', dst: { type: 'order', id: item.order_id } }],
  }
  const fault = item.geometry === null ? null : geometryFault(item.geometry)
  if (fault) throw validationProblem([fault])
  const [outcome] = await addItems(tx, actor, [whole])
  if (outcome === 'inserted' || (outcome === 'taken' && item.scene_key)) return
  if (outcome !== 'too-large') await addItem(tx, actor, whole)
  const short = { ...whole, properties: shortened(whole.properties ?? {}, actor.quotas.item_metadata_bytes / 4) }
  await addItem(tx, actor, short, { unbounded: true })
}

/**
 * Keeps protected properties and the shortest others up to a total length; `service:omitted_properties` counts the rest.
 * Callers pass much less than the metadata limit: PostgreSQL may print numbers longer, and assets count as well.
 */
function shortened(properties: Properties, limit_bytes: number): Properties {
  const own = (name: string): boolean => terms.has(name) || kept.has(name) || isReserved(name)
  const foreign = Object.entries(properties)
    .filter(([name]) => !own(name))
    .map(([name, value]) => ({ name, bytes: Buffer.byteLength(JSON.stringify([name, value])) }))
    .toSorted((left, right) => left.bytes - right.bytes)
  let bytes = 0
  const fitting = new Set(foreign.filter((one) => (bytes += one.bytes) <= limit_bytes).map(({ name }) => name))
  return {
    ...Object.fromEntries(Object.entries(properties).filter(([name]) => own(name) || fitting.has(name))),
    'service:omitted_properties': foreign.length - fitting.size,
  }
}
