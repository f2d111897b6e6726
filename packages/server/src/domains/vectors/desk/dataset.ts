import type { GeoJSONVT } from '@maplibre/geojson-vt'
import type { Feature } from '@swath/contract/shapes/geojson.ts'
import { boxAround } from '@swath/geo/bbox.ts'
import { parse } from '../read/json-spans.ts'

/** The tiles of a dataset as far as they have been cut, and how often one was asked for. */
export interface TileIndex {
  readonly index: GeoJSONVT
  cut: number
}

/** A file of features in memory: its text, and where each feature lies in it and on the earth. */
export interface Dataset {
  readonly bytes: Buffer
  readonly count: number
  /** First byte and the byte after the last one, feature by feature. */
  readonly spans: Uint32Array
  /** West, south, east, north, feature by feature; NaN where a feature has no place. */
  readonly boxes: Float64Array
  /** Made when the first tile is asked for. */
  tiles: TileIndex | null
}

/** Reads a FeatureCollection that was written by `readVectors`: a feature a line. */
export function openDataset(bytes: Buffer): Dataset {
  const lines = featureLines(bytes)
  const count = lines.length / 2
  const dataset = { bytes, count, spans: Uint32Array.from(lines), boxes: new Float64Array(count * 4), tiles: null }
  for (let at = 0; at < count; at++) dataset.boxes.set(boxOfFeature(featureOf(dataset, at)), at * 4)
  return dataset
}

/** First byte and the byte after the last one of each line between the first and the last, without its comma. */
function featureLines(bytes: Buffer): number[] {
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

export const featureOf = ({ bytes, spans }: Dataset, at: number): Feature =>
  parse(bytes, { start: spans[at * 2]!, end: spans[at * 2 + 1]! }) as Feature

export const sizeOfFeature = ({ spans }: Dataset, at: number): number => spans[at * 2 + 1]! - spans[at * 2]!

export type Box = readonly [west: number, south: number, east: number, north: number]

/** True where the box of a feature touches the given one; both may cross the antimeridian only by the given one. */
export function touches({ boxes }: Dataset, at: number, [west, south, east, north]: Box): boolean {
  const [w, s, e, n] = boxes.subarray(at * 4, at * 4 + 4) as unknown as [number, number, number, number]
  if (!(s <= north && n >= south)) return false
  return west <= east ? w <= east && e >= west : w <= east || e >= west
}

function boxOfFeature({ geometry }: Feature): Box {
  const parts = geometry?.type === 'GeometryCollection' ? geometry.geometries : geometry ? [geometry] : []
  const box = boxAround(parts.map(({ coordinates }) => coordinates))
  return box[0] <= box[2] ? box : [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
}
