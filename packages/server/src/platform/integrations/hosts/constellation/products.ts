import { HostRefusal, type HostCollection } from '../../imagery-host.ts'
import type { TaskingProduct } from '../../tasking-host.ts'
import { constellationSensors } from './sensors.ts'

const licences = ['standard', 'extended'] as const

/** Prices are invented, of the order of what operators ask: a credit is one cent. */
const price = (product: string, rate_credits: number, minimum_km2: number) => ({
  product,
  rate_credits,
  minimum_km2,
  valid_from: '2026-01-01',
  licences: [...licences],
})

export const constellationProducts: readonly TaskingProduct[] = [
  {
    id: 'tasking-30cm',
    title: 'Very high resolution, 30 cm',
    description: 'A new acquisition of 30 cm at the pass that you choose, at a price known beforehand.',
    sensors: ['pleiades-neo', 'worldview-3'],
    workflow: 'direct',
    price: price('Tasking, 30 cm', 2600, 25),
    cancel_policy: { hours_before_acquisition: 24, fee_pct: 0 },
    min_area_km2: 1,
    max_area_km2: 5000,
    max_window_days: 90,
    eula: null,
  },
  {
    id: 'tasking-50cm',
    title: 'Very high resolution, 40 to 90 cm',
    description: 'A new acquisition after a feasibility study, which answers with options to choose from.',
    sensors: ['worldview-2', 'worldview-1', 'geoeye-1', 'pleiades', 'kompsat-3a', 'skysat-a', 'skysat-c', 'deimos-2'],
    workflow: 'study',
    price: price('Tasking, 40 to 90 cm', 1700, 25),
    cancel_policy: { hours_before_acquisition: 48, fee_pct: 25 },
    min_area_km2: 1,
    max_area_km2: 10_000,
    max_window_days: 180,
    eula: null,
  },
  {
    id: 'tasking-1m5',
    title: 'High resolution, 1.5 m',
    description: 'A new acquisition of large areas; the provider quotes a price for the task as a whole.',
    sensors: ['spot'],
    workflow: 'quotation',
    price: price('Tasking, 1.5 m', 500, 100),
    cancel_policy: { hours_before_acquisition: null, fee_pct: 0 },
    min_area_km2: 1,
    max_area_km2: 50_000,
    max_window_days: 180,
    eula: null,
  },
  {
    id: 'tasking-10m',
    title: 'Medium resolution, 10 to 30 m',
    description:
      'The next systematic acquisition of the area, reserved and delivered. The satellites cannot be pointed.',
    sensors: ['sentinel-2-msi', 'landsat-oli'],
    workflow: 'direct',
    price: price('Tasking, 10 to 30 m', 20, 100),
    cancel_policy: { hours_before_acquisition: 1, fee_pct: 0 },
    min_area_km2: 1,
    max_area_km2: 100_000,
    max_window_days: 180,
    eula: null,
  },
]

/** Throws `HostRefusal` if the constellation does not sell it. */
export function requireConstellationProduct(id: string): TaskingProduct {
  const product = constellationProducts.find((one) => one.id === id)
  if (!product) throw new HostRefusal(`The constellation has no product "${id}".`, 'invalid_product')
  return product
}

const attribution = 'Simulated acquisition; contains modified imagery of the demonstration archives'

/** The same products as collections, in which their scenes are. */
export const constellationCollections: readonly HostCollection[] = constellationProducts.map((product) => ({
  id: product.id,
  title: product.title,
  type: 'TASKING',
  data_type: 'optical',
  render_strategy: 'cog',
  gsd: Math.min(...constellationSensors.filter(({ id }) => product.sensors.includes(id)).map(({ gsd_m }) => gsd_m)),
  render_params: { bands: 'red,green,blue' },
  license: 'proprietary',
  license_url: 'https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice',
  attribution,
  price: product.price,
  queryables: ['platform', 'constellation'],
}))
