import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { PurchaseCall } from '../../engine/call.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import { findCollectionForSale } from '../catalog/hosts.ts'
import { listReadableProjectIds } from '../projects/access.ts'
import type { OrganizationVectorJobRunner } from '../vectors/vector-worker/vector-worker.ts'
import { computeSceneKey, type CaptureOffer } from './find-offers.ts'
import { chooseCaptureLicence } from './licences.ts'
import { listOwnedCaptures } from './store.owned.ts'

/** Finds the areas of a scene that the caller can already use, under the licence that it would be ordered with. */
export type FindOwnedAreas = (offer: Pick<CaptureOffer, 'host' | 'scene'>, products: ProductTermsByName) => OwnedAreas

export interface OwnedAreas {
  readonly licence: string
  readonly areas: readonly AreaGeometry[]
}

/**
 * Reads the areas of the scenes that were delivered to projects that the caller can read, and still exist.
 *
 * @param requested_licence that of the order; null for the standard licence of each product.
 */
export async function readOwnedAreas(
  call: PurchaseCall,
  scene_ids: readonly string[],
  requested_licence: string | null,
): Promise<FindOwnedAreas> {
  const projects = await listReadableProjectIds(call)
  const rows = await listOwnedCaptures(call.db, call.organization, { scene_ids, projects })
  const held = Map.groupBy(rows, ({ host, scene_id }) => computeSceneKey(host, scene_id))
  return ({ host, scene }, products) => {
    const price = findCollectionForSale(host, scene, products)?.price ?? null
    const licence = chooseCaptureLicence({ price, host, scene }, requested_licence)
    const areas = (held.get(computeSceneKey(host.name, scene.id)) ?? []).filter((row) => row.licence === licence)
    return { licence, areas: areas.map(({ geometry }) => geometry) }
  }
}

/**
 * The part of the requested area in its footprint that is not held: null if nothing is left, undefined if nothing of it is
 * held. `geometry` must be valid.
 */
export async function subtractOwnedAreas(
  { geometry, footprint }: { readonly geometry: AreaGeometry; readonly footprint: AreaGeometry },
  { areas }: OwnedAreas,
  { vectors, signal }: { readonly vectors: OrganizationVectorJobRunner; readonly signal: AbortSignal },
): Promise<AreaGeometry | null | undefined> {
  if (areas.length === 0) return undefined
  const request = { area: geometry, footprint, isDelivered: false }
  const held = areas.map((area) => ({ area, footprint, isDelivered: true }))
  const [measured] = await vectors.measureCoverage([[request, ...held]], signal)
  return measured?.remainder.geometry
}
