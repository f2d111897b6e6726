import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { clampLatitude } from '@swath/geo/web-mercator.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import { computeLongitudeWidth } from '@swath/geo/bbox.ts'
import type { VectorField, VectorFieldType } from './vector-file.ts'

export const mvtMediaType = 'application/vnd.mapbox-vector-tile'

/** The id of the only layer of each vector tile. */
export const vectorLayerId = 'features'

/** At this zoom a tile unit is 15 cm and no feature is omitted, so that clients may overzoom. */
export const vector_maxzoom = 16

const tilejsonTypeByField: Readonly<Record<VectorFieldType, string>> = {
  integer: 'Number',
  number: 'Number',
  string: 'String',
  boolean: 'Boolean',
  array: 'String',
  object: 'String',
  mixed: 'String',
  null: 'String',
}

/** The TileJSON 3.0.0 members of feature tiles, except their URLs. */
export function buildVectorTileMetadata(
  box: Bounds,
  fields: readonly VectorField[],
): Pick<TileJson, 'minzoom' | 'maxzoom' | 'bounds' | 'center' | 'vector_layers'> {
  const [west, south, east, north] = box
  const middle = west + computeLongitudeWidth(box) / 2
  const [bottom, top] = [clampLatitude(south), clampLatitude(north)]
  return {
    minzoom: 0,
    maxzoom: vector_maxzoom,
    bounds: [west, bottom, east, top],
    center: [middle > 180 ? middle - 360 : middle, (bottom + top) / 2, defaultZoom(box)],
    vector_layers: [
      {
        id: vectorLayerId,
        fields: Object.fromEntries(fields.map(({ name, type }) => [name, tilejsonTypeByField[type]])),
        minzoom: 0,
        maxzoom: vector_maxzoom,
      },
    ],
  }
}

/** The zoom at which the bounds are about as wide as a screen of four tiles. */
function defaultZoom(box: Bounds): number {
  const span = Math.max(computeLongitudeWidth(box), box[3] - box[1], 1e-6)
  return Math.min(vector_maxzoom, Math.max(0, Math.floor(Math.log2((360 / span) * 4))))
}
