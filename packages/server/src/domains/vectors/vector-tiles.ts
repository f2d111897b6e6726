import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import { clampLatitude } from '@swath/geo/web-mercator.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import { widthOf } from '@swath/geo/bbox.ts'
import type { Field, FieldType } from './vector-file.ts'

export const mvtType = 'application/vnd.mapbox-vector-tile'

/** The id of the only layer of each vector tile. */
export const vector_layer = 'features'

/** At this zoom a tile unit is 15 cm and no feature is omitted, so that clients may overzoom. */
export const vector_maxzoom = 16

const words: Readonly<Record<FieldType, string>> = {
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
export function vectorTileFacts(
  box: Bounds,
  fields: readonly Field[],
): Pick<TileJson, 'minzoom' | 'maxzoom' | 'bounds' | 'center' | 'vector_layers'> {
  const [west, south, east, north] = box
  const middle = west + widthOf(box) / 2
  const [bottom, top] = [clampLatitude(south), clampLatitude(north)]
  return {
    minzoom: 0,
    maxzoom: vector_maxzoom,
    bounds: [west, bottom, east, top],
    center: [middle > 180 ? middle - 360 : middle, (bottom + top) / 2, zoomFor(box)],
    vector_layers: [
      {
        id: vector_layer,
        fields: Object.fromEntries(fields.map(({ name, type }) => [name, words[type]])),
        minzoom: 0,
        maxzoom: vector_maxzoom,
      },
    ],
  }
}

/** The zoom at which the bounds are about as wide as a screen of four tiles. */
function zoomFor(box: Bounds): number {
  const span = Math.max(widthOf(box), box[3] - box[1], 1e-6)
  return Math.min(vector_maxzoom, Math.max(0, Math.floor(Math.log2((360 / span) * 4))))
}
