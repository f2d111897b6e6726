import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Feature } from 'geojson'

/** One layer of the vector tiles. */
export interface TileLayer {
  readonly name: string
  readonly features: Feature[]
  /** Tiles of these zoom levels have it; a feature with a property `minzoom` is left out before. */
  readonly minzoom: number
  /** Lines are simplified to this distance, in units of which a tile has 4,096. */
  readonly tolerance: number
}

const extent = 4096
/** Units beyond the edge, so that lines and names at the edge are whole. */
const buffer = 64

/** Cuts layers into tiles of all zoom levels up to `maxzoom`, compressed. Tiles without a feature are missing. */
export async function cutTiles(layers: readonly TileLayer[], maxzoom: number): Promise<Map<string, Buffer>> {
  const tiles = new Map<string, Record<string, GeoJSONVTTile>>()
  for (const { name, features, minzoom, tolerance } of layers) {
    // At the last zoom level, shapes are not simplified.
    const index = new GeoJSONVT({ type: 'FeatureCollection', features }, { maxZoom: maxzoom, indexMaxZoom: maxzoom, indexMaxPoints: 0, extent, buffer, tolerance }) // prettier-ignore
    visitTiles(index, maxzoom, (tile, z, key) => {
      const shown = (tile.features as TileFeature[]).filter(({ tags }) => !(Number(tags?.['minzoom']) > z))
      if (z < minzoom || shown.length === 0) return
      tiles.set(key, { ...tiles.get(key), [name]: { ...tile, features: shown.map(withoutZoom) } })
    })
  }
  const compressed = new Map<string, Buffer>()
  await Promise.all(
    [...tiles].map(async ([key, named]) => {
      compressed.set(key, await compress(Buffer.from(fromGeojsonVt(named, { version: 2, extent }))))
    }),
  )
  return compressed
}

/** Calls back for each tile with features, from the whole world down. */
function visitTiles(index: GeoJSONVT, maxzoom: number, visit: (tile: GeoJSONVTTile, z: number, key: string) => void) {
  const descend = (z: number, x: number, y: number): void => {
    const tile = index.getTile(z, x, y)
    if (!tile) return
    visit(tile, z, `${z}/${x}/${y}`)
    if (z === maxzoom) return
    for (const [right, below] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) descend(z + 1, 2 * x + right, 2 * y + below) // prettier-ignore
  }
  descend(0, 0, 0)
}

type TileFeature = Extract<GeoJSONVTTile['features'][number], { tags: unknown }>

/** Removes the lowest zoom of a feature: its tile determines it. */
const withoutZoom = (feature: TileFeature): TileFeature => {
  const { minzoom: _minzoom, ...tags } = feature.tags ?? {}
  return { ...feature, tags }
}

const compress = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: 18,
    },
  })
