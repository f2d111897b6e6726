import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { PurchaseCall } from '../../engine/call.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import { findSoldCollection } from '../catalog/hosts.ts'
import { listReadableProjectIds } from '../projects/access.ts'
import type { VectorWork } from '../vectors/vector-worker/vector-worker.ts'
import { sceneKey, type CaptureOffer } from './find-offers.ts'
import { chooseLicence } from './licences.ts'
import { listHeldCaptures } from './store.held.ts'

/** Finds the areas of a scene that the caller can already use, under the licence that it would be ordered with. */
export type FindHeldAreas = (offer: Pick<CaptureOffer, 'host' | 'scene'>, products: ProductTermsByName) => HeldAreas

export interface HeldAreas {
  readonly licence: string
  readonly areas: readonly AreaGeometry[]
}

/**
 * Reads the areas of the scenes that were delivered to projects that the caller can read, and still exist.
 *
 * @param requested_licence that of the order; null for the standard licence of each product.
 */
export async function readHeldAreas(
  call: PurchaseCall,
  scene_ids: readonly string[],
  requested_licence: string | null,
): Promise<FindHeldAreas> {
  const projects = await listReadableProjectIds(call)
  const rows = await listHeldCaptures(call.db, call.organization, { scene_ids, projects })
  const held = Map.groupBy(rows, ({ host, scene_id }) => sceneKey(host, scene_id))
  return ({ host, scene }, products) => {
    const price = findSoldCollection(host, scene, products)?.price ?? null
    const licence = chooseLicence({ price, host, scene }, requested_licence)
    const areas = (held.get(sceneKey(host.name, scene.id)) ?? []).filter((row) => row.licence === licence)
    return { licence, areas: areas.map(({ geometry }) => geometry) }
  }
}

/**
 * The part of the requested area in its footprint that is not held: null if nothing is left, undefined if nothing of it is
 * held. `geometry` must be valid.
 */
export async function subtractHeldAreas(
  { geometry, footprint }: { readonly geometry: AreaGeometry; readonly footprint: AreaGeometry },
  { areas }: HeldAreas,
  { vectors, signal }: { readonly vectors: VectorWork; readonly signal: AbortSignal },
): Promise<AreaGeometry | null | undefined> {
  if (areas.length === 0) return undefined
  const request = { area: geometry, footprint, isDelivered: false }
  const held = areas.map((area) => ({ area, footprint, isDelivered: true }))
  const [measured] = await vectors.measureCoverage([[request, ...held]], signal)
  return measured?.remainder.geometry
}
