import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from '../store.ts'

/** The bands of a sensor product in file order, as STAC common names where they exist. */
interface SensorProduct {
  /** Prefixes of the STAC `platform`, in lower case, letters and digits only. */
  readonly platforms: readonly string[]
  readonly bands: readonly string[]
}

const oli = ['coastal', 'blue', 'green', 'red', 'nir', 'swir16', 'swir22']
const tm = ['blue', 'green', 'red', 'nir', 'swir16']
const sentinel2 = ['coastal', 'blue', 'green', 'red', 'rededge1', 'rededge2', 'rededge3', 'nir', 'nir08', 'nir09']
const fourBands = ['blue', 'green', 'red', 'nir']
const pleiadesNeo = ['coastal', 'blue', 'green', 'red', 'rededge', 'nir']
const eightBands = ['coastal', 'blue', 'green', 'yellow', 'red', 'rededge', 'nir', 'nir09']

/**
 * Bands of sensors by platform and number of bands. Sources: Sentinel-2 MSI (ESA, with and without B10), Landsat TM,
 * ETM+ and OLI (USGS), NAIP (USDA), PlanetScope, SuperDove, SkySat and RapidEye (Planet), WorldView and GeoEye (Maxar),
 * Pléiades and SPOT (Airbus).
 */
const sensors: readonly SensorProduct[] = [
  { platforms: ['sentinel2'], bands: [...sentinel2, 'cirrus', 'swir16', 'swir22'] },
  { platforms: ['sentinel2'], bands: [...sentinel2, 'swir16', 'swir22'] },
  { platforms: ['sentinel2'], bands: fourBands },
  { platforms: ['landsat8', 'landsat9'], bands: [...oli, 'pan', 'cirrus', 'lwir11', 'lwir12'] },
  { platforms: ['landsat8', 'landsat9'], bands: oli },
  { platforms: ['landsat4', 'landsat5', 'landsat7'], bands: [...tm, 'lwir', 'swir22'] },
  { platforms: ['landsat7'], bands: [...tm, 'lwir', 'swir22', 'pan'] },
  { platforms: ['landsat4', 'landsat5', 'landsat7'], bands: [...tm, 'swir22'] },
  { platforms: ['naip'], bands: ['red', 'green', 'blue', 'nir'] },
  { platforms: ['planetscope', 'skysat', 'ssc', 'dove'], bands: fourBands },
  {
    platforms: ['planetscope', 'superdove'],
    bands: ['coastal', 'blue', 'green1', 'green', 'yellow', 'red', 'rededge', 'nir'],
  },
  { platforms: ['rapideye'], bands: ['blue', 'green', 'red', 'rededge', 'nir'] },
  { platforms: ['worldview02', 'worldview03', 'worldview2', 'worldview3', 'wv02', 'wv03'], bands: eightBands },
  { platforms: ['worldview', 'wv', 'geoeye', 'quickbird', 'ikonos', 'legion', 'lg'], bands: fourBands },
  { platforms: ['pleiadesneo', 'pneo'], bands: pleiadesNeo },
  { platforms: ['pleiades', 'phr', 'spot6', 'spot7'], bands: ['red', 'green', 'blue', 'nir'] },
]

const normalizePlatform = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')

/** Band names of the platform's product with this number of bands; null if unknown. */
export function findSensorBands(platform: string, count: number): readonly string[] | null {
  const name = normalizePlatform(platform)
  const product = sensors.find(
    ({ platforms, bands }) => bands.length === count && platforms.some((prefix) => name.startsWith(prefix)),
  )
  return product?.bands ?? null
}

export interface BandNameSuggestion {
  readonly suggested_band_names: string[]
  readonly method: 'band_descriptions' | 'eo_bands' | 'sensor' | 'reflectance_ranking'
}

type BandNameSources = {
  readonly item: Pick<ItemRow, 'properties'>
  readonly asset: Pick<AssetRow, 'raster' | 'stac'>
}

const nonEmptyText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** The names if every band has one, else null. */
const completeNames = (names: readonly (string | null)[], count: number): string[] | null =>
  names.length === count && count > 0 && names.every((name) => name !== null) ? (names as string[]) : null

/** Names of STAC band objects: common names if all are set and distinct, else their `name`. */
function bandObjectNames(value: unknown, count: number): string[] | null {
  if (!Array.isArray(value)) return null
  const objects = value as Record<string, unknown>[]
  const common = completeNames(
    objects.map((band) => nonEmptyText(band?.['common_name'])),
    count,
  )
  if (common && new Set(common).size === count) return common
  return completeNames(
    objects.map((band) => nonEmptyText(band?.['name'])),
    count,
  )
}

/**
 * Band names that can be determined without reading pixels: band descriptions of the file, then `eo:bands` metadata, then
 * the sensor's products with that number of bands. Null if none applies.
 */
export function suggestBandNames({ item, asset }: BandNameSources): BandNameSuggestion | null {
  const count = asset.raster?.bands.length ?? 0
  const descriptions = completeNames(
    (asset.raster?.bands ?? []).map((band) => nonEmptyText(band.name)),
    count,
  )
  if (descriptions) return { suggested_band_names: descriptions, method: 'band_descriptions' }
  const eoNames = bandObjectNames(asset.stac['eo:bands'], count) ?? bandObjectNames(item.properties['eo:bands'], count)
  if (eoNames) return { suggested_band_names: eoNames, method: 'eo_bands' }
  const platforms = ['platform', 'constellation'].flatMap((name) => nonEmptyText(item.properties[name]) ?? [])
  const sensor = platforms.map((platform) => findSensorBands(platform, count)).find((bands) => bands !== null)
  return sensor ? { suggested_band_names: [...sensor], method: 'sensor' } : null
}

/**
 * Guesses by brightness, for surface reflectance over land: vegetation makes near infrared the brightest band, and blue
 * is the darkest visible one. Green lies between blue and red in every common band order, so the position of blue gives
 * red. Bands beyond the first four, and rasters of one or two bands, get generic names; three bands are red, green, blue.
 *
 * @param medians of the valid pixels, by band; NaN where a band has none.
 */
export function guessBandsByReflectance(medians: readonly number[]): string[] {
  const names = medians.map((_, index) => `b${index + 1}`)
  if (medians.length === 3) return ['red', 'green', 'blue']
  if (medians.length < 4 || medians.slice(0, 4).some((median) => !Number.isFinite(median))) return names
  const four = [0, 1, 2, 3]
  const nir = four.reduce((best, band) => (medians[band]! > medians[best]! ? band : best))
  const visible = four.filter((band) => band !== nir)
  const [first, middle, last] = visible as [number, number, number]
  const [blue, red] = medians[first]! <= medians[last]! ? [first, last] : [last, first]
  names[nir] = 'nir'
  names[blue] = 'blue'
  names[middle] = 'green'
  names[red] = 'red'
  return names
}
