import type { PriceComparison } from '@swath/contract/schemas/catalog.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { yieldEvery } from '../../platform/event-loop.ts'
import type { PriceRates } from '../contracts/rates.ts'
import { formatDataProductName, isProductOffered } from '../rate-cards/product-terms.ts'
import type { FederatedScene } from './federated-search.ts'
import { findCollectionForSale } from './hosts.ts'
import { intersectionAreaKm2, isAreaGeometry, priceScene } from './price.ts'
import { scenes_priced_per_yield } from './search.ts'

type Offer = PriceComparison['offers'][number]

/**
 * One offer for each collection that covers a part of the area, by the scene that covers most of it. The cheapest is first;
 * of equal prices, the one that covers more. What cannot be ordered has no offer.
 *
 * @param scenes newest first.
 */
export async function comparePrices(
  scenes: readonly FederatedScene[],
  area: unknown,
  rates: PriceRates,
): Promise<Offer[]> {
  if (!isAreaGeometry(area)) return []
  const area_km2 = geometryArea_km2(area)
  const yieldToEventLoop = yieldEvery(scenes_priced_per_yield)
  const best = new Map<string, Offer>()
  for (const found of scenes) {
    await yieldToEventLoop(1)
    if (!isAreaGeometry(found.scene.geometry)) continue
    if (!isProductOffered(rates.products, formatDataProductName(found.host.name, found.scene.collection))) continue
    const covered_percent = Math.min(100, (100 * intersectionAreaKm2(area, found.scene.geometry)) / area_km2)
    if (covered_percent === 0) continue
    const key = JSON.stringify([found.host.name, found.scene.collection])
    const earlier = best.get(key)
    const scene_count = (earlier?.scene_count ?? 0) + 1
    const isBetter = !earlier || covered_percent > earlier.covered_percent
    best.set(key, { ...(isBetter ? toOffer(found, { area, rates, covered_percent }) : earlier), scene_count })
  }
  return [...best.values()].toSorted(
    (left, right) => left.price.credits - right.price.credits || right.covered_percent - left.covered_percent,
  )
}

function toOffer(
  { host, scene }: FederatedScene,
  {
    area,
    rates,
    covered_percent,
  }: { readonly area: AreaGeometry; readonly rates: PriceRates; readonly covered_percent: number },
): Omit<Offer, 'scene_count'> {
  const collection = findCollectionForSale(host, scene, rates.products)
  const { 'eo:cloud_cover': cloud, gsd } = scene.properties
  return {
    host_name: host.name,
    collection: scene.collection,
    title: collection?.title ?? scene.collection,
    gsd: typeof gsd === 'number' ? gsd : (collection?.gsd ?? null),
    scene_id: scene.id,
    datetime: new Date(scene.datetime).toISOString(),
    cloud_cover: typeof cloud === 'number' ? cloud : null,
    covered_percent,
    price: priceScene(collection?.price ?? null, scene.geometry, area, rates),
  }
}
