import { GeoJSONVT, geoJSONToTile, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { tileBoundsDegrees } from '@swath/geo/tile-grid.ts'
import type { Feature } from '@swath/contract/schemas/geojson.ts'
import { vector_maxzoom } from '../vector-tiles.ts'
import { parseDatasetFeature, intersectsBounds, type FeatureDataset } from './dataset.ts'

export interface VectorTileRequest {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly layer: string
}

/** The usual extent of a tile in units. */
export const mvt_extent = 4096
/** The buffer around a tile, so that lines and labels do not end at its edge. */
const buffer = 64
const max_tiles_per_index = 20_000

const options = { maxZoom: vector_maxzoom, indexMaxZoom: 4, indexMaxPoints: 100_000, extent: mvt_extent, buffer }

/** Builds a Mapbox Vector Tile (version 2.1) with one layer; empty without features. */
export function buildVectorTile(dataset: FeatureDataset, request: VectorTileRequest): Uint8Array {
  const tile = request.z > vector_maxzoom ? buildOverzoomTile(dataset, request) : indexedTile(dataset, request)
  if (!tile || tile.features.length === 0) return new Uint8Array(0)
  return fromGeojsonVt({ [request.layer]: tile }, { version: 2, extent: mvt_extent })
}

function indexedTile(dataset: FeatureDataset, { z, x, y }: VectorTileRequest): GeoJSONVTTile | null {
  if (!dataset.tiles || dataset.tiles.tile_count++ > max_tiles_per_index) {
    dataset.tiles = null
    dataset.tiles = {
      index: new GeoJSONVT(
        toFeatureCollection(dataset, () => true),
        options,
      ),
      tile_count: 0,
    }
  }
  return dataset.tiles.index.getTile(z, x, y)
}

// Beyond its maximum zoom the index has no tiles: these are built from the features.
function buildOverzoomTile(dataset: FeatureDataset, { z, x, y }: VectorTileRequest): GeoJSONVTTile | null {
  const box = tileBoundsDegrees({ z, x, y })
  const nearbyFeatures = toFeatureCollection(dataset, (at) => intersectsBounds(dataset, at, box))
  return nearbyFeatures.features.length === 0
    ? null
    : geoJSONToTile(nearbyFeatures, z, x, y, { ...options, maxZoom: z, clip: true })
}

function toFeatureCollection(dataset: FeatureDataset, isIncluded: (at: number) => boolean) {
  const features: Feature[] = []
  for (let at = 0; at < dataset.count; at++) {
    if (isIncluded(at)) features.push(toTileFeature(parseDatasetFeature(dataset, at)))
  }
  return { type: 'FeatureCollection' as const, features } as GeoJSON.FeatureCollection
}

/**
 * Converts a feature for a tile: feature ids are integers there, and the encoder treats names of Object.prototype as
 * existing keys.
 */
function toTileFeature({ id, geometry, properties }: Feature): Feature {
  const entries = Object.entries(properties ?? {}).filter(([, value]) => value !== null)
  return {
    type: 'Feature',
    ...(Number.isSafeInteger(id) && (id as number) >= 0 ? { id } : {}),
    geometry,
    properties: Object.fromEntries(entries.map(([name, value]) => [name in {} ? `${name}_` : name, value])),
  }
}
