import type { AssetToAdd, ItemToAdd } from '../../../packages/server/src/domains/items/add-item.ts'
import { createRandom } from '../../prove/harness/random.ts'

type Random = () => number

/** Boxes that are mostly land: west, south, east, north. */
const land = [
  [-125, 30, -70, 60],
  [-165, 55, -125, 70],
  [-105, 15, -85, 30],
  [-75, -20, -40, 5],
  [-72, -50, -55, -20],
  [-10, 36, 30, 60],
  [5, 58, 30, 70],
  [30, 40, 140, 70],
  [-15, 5, 40, 33],
  [12, -33, 38, 5],
  [35, 13, 60, 38],
  [68, 8, 90, 35],
  [90, 20, 122, 42],
  [98, -8, 140, 20],
  [115, -35, 150, -15],
] as const

const weights = land.map(([west, south, east, north]) => (east - west) * (north - south))
const total = weights.reduce((sum, weight) => sum + weight, 0)

/** A position on land, used as the south-west corner of a scene. */
export function chooseLandPosition(random: Random): [longitude: number, latitude: number] {
  let at = random() * total
  const index = weights.findIndex((weight) => (at -= weight) < 0)
  const [west, south, east, north] = land[index]!
  return [west + random() * (east - west), south + random() * (north - south)]
}

/** Kinds of imagery, with their share of all scenes and their number of assets. */
export const kinds = [
  { name: 'multispectral', share: 0.6, assets: 12, platforms: ['sentinel-2a', 'sentinel-2b'], gsd: [10, 20, 60] },
  { name: 'thermal', share: 0.3, assets: 7, platforms: ['landsat-8', 'landsat-9'], gsd: [15, 30, 100] },
  { name: 'sharp', share: 0.1, assets: 2, platforms: ['pleiades-1a', 'pleiades-1b', 'skysat-4'], gsd: [0.5, 0.7, 1] },
] as const

export const firstDay = Date.UTC(2015, 0, 1)
export const ten_years_ms = 3652 * 86_400_000

const randomHex = (random: Random, length: number): string =>
  Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')

/** A UUID derived from the seed, so that the same seed gives the same rows. */
const createSeededUuid = (random: Random): string =>
  `${randomHex(random, 8)}-${randomHex(random, 4)}-7${randomHex(random, 3)}-8${randomHex(random, 3)}-${randomHex(random, 12)}`

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const rounded = (value: number, places = 6): number => Number(value.toFixed(places))

const bandNames = ['coastal', 'blue', 'green', 'red', 'rededge', 'nir', 'nir08', 'nir09', 'cirrus', 'swir16', 'swir22']

function createAsset(random: Random, name: string, index: number, gsd: number): AssetToAdd {
  const key = bandNames[index] ?? 'thumbnail'
  const isRaster = index < bandNames.length
  const size = Math.round(20_000 / gsd) * 10
  return {
    id: createSeededUuid(random),
    key,
    title: isRaster ? `Band ${index + 1} (${key}) at ${gsd} m` : 'Thumbnail',
    blob_path: null,
    external_href: `https://data.example/scenes/${name}/${key}.${isRaster ? 'tif' : 'jpg'}`,
    media_type: isRaster ? 'image/tiff; application=geotiff; profile=cloud-optimized' : 'image/jpeg',
    roles: isRaster ? ['data', 'reflectance'] : ['thumbnail'],
    file_size_bytes: Math.floor(random() * 1e9),
    checksum_sha256: randomHex(random, 64),
    raster: null,
    stac: isRaster ? bandMembers(random, key, size, gsd) : {},
  }
}

const bandMembers = (random: Random, key: string, size: number, gsd: number): Record<string, unknown> => ({
  'eo:bands': [{ name: key, common_name: key, center_wavelength: rounded(0.4 + random() * 2, 3) }],
  'raster:bands': [
    {
      data_type: 'uint16',
      nodata: 0,
      scale: 0.0001,
      offset: 0,
      spatial_resolution: gsd,
      statistics: {
        minimum: 1,
        maximum: Math.floor(random() * 10_000),
        mean: rounded(random() * 3000, 2),
        stddev: rounded(random() * 900, 2),
      },
    },
  ],
  'proj:epsg': 32_600 + Math.ceil(random() * 60),
  'proj:shape': [size, size],
  'proj:transform': [gsd, 0, 399_960 + Math.floor(random() * 1000), 0, -gsd, 4_900_020],
})

/** Scenes with ids, assets and all metadata, the same for the same seed; `collections` has one id per kind. */
export function* generateScenes(
  count: number,
  seed: number,
  project_id: string,
  collections: readonly string[],
): Generator<ItemToAdd> {
  const random = createRandom(seed)
  for (let number = 0; number < count; number++) {
    const chance = random()
    const index = chance < 0.6 ? 0 : chance < 0.9 ? 1 : 2
    yield createScene({ random, number, kind: kinds[index]!, project_id, collection_id: collections[index]! })
  }
}

function createScene({
  random,
  number,
  kind,
  project_id,
  collection_id,
}: {
  readonly random: Random
  readonly number: number
  readonly kind: (typeof kinds)[number]
  readonly project_id: string
  readonly collection_id: string
}): ItemToAdd {
  const [x, y] = chooseLandPosition(random)
  const size = 0.1 + random() * 1.9
  const [west, south, east, north] = [x, y, x + size, y + size * 0.8].map((value) => rounded(value))
  const skew = rounded(size * 0.1 * random())
  const name = `${kind.name}-${String(number).padStart(6, '0')}`
  const gsd = pick(random, kind.gsd)
  return {
    id: createSeededUuid(random),
    project_id,
    collection_id,
    type: 'external_reference',
    name,
    stac_id: name,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west! + skew, south!],
          [east!, south! + skew],
          [east! - skew, north!],
          [west!, north! - skew],
          [west! + skew, south!],
        ],
      ],
    },
    datetime: new Date(firstDay + Math.floor(random() * ten_years_ms)),
    cloud_cover: rounded(random() * 100, 2),
    gsd,
    properties: {
      platform: pick(random, kind.platforms),
      constellation: kind.name,
      instruments: ['msi'],
      'view:off_nadir': rounded(random() * 30, 2),
      'view:sun_elevation': rounded(random() * 80, 2),
      'view:sun_azimuth': rounded(random() * 360, 2),
      'processing:level': pick(random, ['L1C', 'L2A']),
      'grid:code': `MGRS-${Math.ceil(random() * 60)}ABC`,
      quality: Math.floor(random() * 100),
      license: 'CC-BY-4.0',
    },
    stac_extensions: ['https://stac-extensions.github.io/processing/v1.1.0/schema.json'],
    assets: Array.from({ length: kind.assets }, (_, index) => createAsset(random, name, index, gsd)),
  }
}
