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
