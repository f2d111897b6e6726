import type { GeoJSONVT } from '@maplibre/geojson-vt'
import type { Feature } from '@swath/contract/schemas/geojson.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { parseJsonSpan } from '../read/json-spans.ts'

/** The tile index of a dataset, and the number of tiles built from it. */
export interface VectorTileIndex {
  readonly index: GeoJSONVT
  tile_count: number
}

/** A feature file in memory: its text, and the span and bounds of each feature. */
export interface FeatureDataset {
  readonly bytes: Buffer
  readonly count: number
  /** The first byte and the byte after the last one of each feature. */
  readonly spans: Uint32Array
  /** West, south, east, north of each feature; NaN without a geometry. */
  readonly boxes: Float64Array
  /** Created for the first tile. */
  tiles: VectorTileIndex | null
}

/** Opens a FeatureCollection written by `readVectorFile`: one feature per line. */
export function openFeatureDataset(bytes: Buffer): FeatureDataset {
  const lines = findFeatureSpans(bytes)
  const count = lines.length / 2
  const dataset = { bytes, count, spans: Uint32Array.from(lines), boxes: new Float64Array(count * 4), tiles: null }
  for (let at = 0; at < count; at++) dataset.boxes.set(computeBounds(parseDatasetFeature(dataset, at)), at * 4)
  return dataset
}

/** The byte span of each line between the first and the last, without its comma. */
function findFeatureSpans(bytes: Buffer): number[] {
  const lines: number[] = []
  let start = bytes.indexOf(line_end) + 1
  for (;;) {
    const end = bytes.indexOf(line_end, start)
    if (end < 0 || bytes[start] !== brace) return lines
    lines.push(start, bytes[end - 1] === comma ? end - 1 : end)
    start = end + 1
  }
}

const line_end = 0x0a
const comma = 0x2c
const brace = 0x7b

export const parseDatasetFeature = ({ bytes, spans }: FeatureDataset, at: number): Feature =>
  parseJsonSpan(bytes, { start: spans[at * 2]!, end: spans[at * 2 + 1]! }) as Feature

export const getFeatureByteLength = ({ spans }: FeatureDataset, at: number): number =>
  spans[at * 2 + 1]! - spans[at * 2]!

export type FeatureBounds = readonly [west: number, south: number, east: number, north: number]

/** True if the bounds of a feature intersect the queried ones; only the queried ones may cross the antimeridian. */
export function intersectsBounds(
  { boxes }: FeatureDataset,
  at: number,
  [west, south, east, north]: FeatureBounds,
): boolean {
  const [w, s, e, n] = boxes.subarray(at * 4, at * 4 + 4) as unknown as [number, number, number, number]
  if (!(s <= north && n >= south)) return false
  return west <= east ? w <= east && e >= west : w <= east || e >= west
}

function computeBounds({ geometry }: Feature): FeatureBounds {
  const parts = geometry?.type === 'GeometryCollection' ? geometry.geometries : geometry ? [geometry] : []
  const box = coordinateExtent(parts.map(({ coordinates }) => coordinates))
  return box[0] <= box[2] ? box : [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
}
