import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { addItem, addItems, type AddedAsset, type AddedItem } from './add-item.ts'
import { geometryFault } from './geometry.ts'
import type { ItemWriter } from './metadata-limit.ts'
import { isReserved } from './stac-feature.ts'

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
/** What was agreed on, beside what the platform writes itself. */
const terms: ReadonlySet<string> = new Set(['license', 'attribution', 'providers'])

type Properties = Readonly<Record<string, unknown>>

/**
 * Writes a delivered scene: the item, its assets and their bytes, the edge to its order and the event, in one
 * transaction. A scene that the order has delivered before changes nothing. Where its host says more of it than an item
 * may have, the longest of that is left out: what was paid for is delivered. Throws `validation` for a geometry that
 * cannot be stored.
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
 * Properties of which the others than the terms have a given length together, the shortest of them first; what is left out
 * is counted. Half of the text of a number may be zeros that the database adds, and files are described beside this, so
 * that far less than the limit is asked for.
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
