import { lonLatExtent, unwrapAfter } from '../../formats/crs/extent.ts'
import { RasterFailure } from '../../failures.ts'
import { isIndexed } from '../window/resampling.ts'
import { readWindow } from '../window/read-window.ts'
import { checkWindow } from '../window/window.ts'
import type { Window } from '../window/window.ts'
import type { Level, PixelBlock, Raster } from '../../types.ts'
import { pixelsOfDegrees, pixelsOfLevel } from '../areas/outline.ts'
import { isNodata } from '../../sample-types.ts'
import type { ValueRules } from './value-chunk.ts'
import { rulesOfBand } from './value-rules.ts'

export interface PointReadRequest {
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Index into `levels`; default 0, the full one. */
  readonly level?: number
  /** Applies scale and offset of the band. */
  readonly scaled?: boolean
  /**
   * `nearest` (default): the pixel that the place lies in. `bilinear`: the four around it by their distance, those without a
   * value left out; none where the pixel itself has none. Indices into a palette are never mixed.
   */
  readonly resampling?: 'nearest' | 'bilinear'
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

/** The values of all bands at a point; null for nodata. */
export type PointValues = (number | null)[]

/** A position in pixels of a level; corners of pixels are whole numbers. */
export type PixelPlace = readonly [x: number, y: number]

/** Pixels that are read together, at least this many across and down. */
const LEAST_CELL = 256
const AT_ONCE = 4

/** Answers the pixels of a level in which places in degrees lie: NaN where the reference system does not know them. */
export function pixelPlaces(raster: Raster, level: Level): (longitude: number, latitude: number) => PixelPlace {
  const toPixels = pixelsOfDegrees(raster, pixelsOfLevel(raster, level))
  const { west, east } = lonLatExtent(raster)
  // A grid in degrees counts on beyond 180 as it likes.
  return (longitude, latitude) => toPixels(unwrapAfter((west + east) / 2, longitude), latitude)
}

/** The level, and what the bands are, of a request; `request` failures. */
export function checkPlaces(raster: Raster, request: PointReadRequest): Level {
  return checkWindow(raster, request.level ?? 0, [0, 0, 1, 1], bandsOf(raster, request))
}

/**
 * The values at some places of a level, in their order; null for a place that the picture does not reach. Places in one
 * block are read together. Failures are those of readWindow.
 */
export async function readPlaces(
  raster: Raster,
  level: Level,
  places: readonly PixelPlace[],
  request: PointReadRequest,
): Promise<(PointValues | null)[]> {
  const bands = bandsOf(raster, request)
  const rules = bands.map((band) => rulesOfBand(raster, level, band, request.scaled === true))
  const take = request.resampling === 'bilinear' && !isIndexed(raster) ? takeBlend : takeNearest
  const found: (PointValues | null)[] = places.map(() => null)
  const cells = [...cellsOf(level, places).values()]
  const readCell = async (members: readonly number[]): Promise<void> => {
    const window = windowAround(
      level,
      members.map((at) => places[at]!),
    )
    const { budget_bytes, signal } = request
    const block = await readWindow(raster, { level: level.index, window, bands, budget_bytes, signal })
    for (const at of members) {
      const [x, y] = places[at]!
      found[at] = rules.map((rule, band) => take(block, band, rule, x - window[0], y - window[1]))
    }
  }
  for (let at = 0; at < cells.length; at += AT_ONCE) await Promise.all(cells.slice(at, at + AT_ONCE).map(readCell))
  return found
}

function bandsOf(raster: Raster, { bands }: PointReadRequest): readonly number[] {
  return bands ?? raster.bands.map((_, index) => index)
}

/** The places inside the level, by the blocks in which they lie. */
function cellsOf(level: Level, places: readonly PixelPlace[]): Map<number, number[]> {
  const [width, height] = level.block.map((side) => side * Math.ceil(LEAST_CELL / side)) as [number, number]
  const across = Math.ceil(level.width / width)
  const cells = new Map<number, number[]>()
  for (const [at, [x, y]] of places.entries()) {
    if (!(x >= 0 && y >= 0 && x < level.width && y < level.height)) continue
    const key = Math.floor(y / height) * across + Math.floor(x / width)
    const members = cells.get(key)
    if (members) members.push(at)
    else cells.set(key, [at])
  }
  return cells
}

/** The smallest window with all pixels that some places ask for, their neighbours included. */
function windowAround({ width, height }: Level, places: readonly PixelPlace[]): Window {
  const xs = places.map(([x]) => x)
  const ys = places.map(([, y]) => y)
  const least = (values: number[]): number => Math.max(0, Math.floor(values.reduce((a, b) => Math.min(a, b)) - 0.5))
  const most = (values: number[]): number => Math.floor(values.reduce((a, b) => Math.max(a, b)) - 0.5) + 2
  return [least(xs), least(ys), Math.min(width, most(xs)), Math.min(height, most(ys))]
}

function takeNearest(block: PixelBlock, band: number, rules: ValueRules, x: number, y: number): number | null {
  const { width, height, data, mask } = block
  const pixel = Math.floor(y) * width + Math.floor(x)
  const sample = data[band * width * height + pixel]!
  const isMissing = (rules.masked && mask[pixel] === 0) || isNodata(sample, rules.nodata) || Number.isNaN(sample)
  return isMissing ? null : sample * rules.scale + rules.offset
}

function takeBlend(block: PixelBlock, band: number, rules: ValueRules, x: number, y: number): number | null {
  if (takeNearest(block, band, rules, x, y) === null) return null
  const left = Math.floor(x - 0.5)
  const top = Math.floor(y - 0.5)
  let [sum, weights] = [0, 0]
  for (const column of [left, left + 1]) {
    for (const row of [top, top + 1]) {
      if (column < 0 || row < 0 || column >= block.width || row >= block.height) continue
      const weight = (1 - Math.abs(x - 0.5 - column)) * (1 - Math.abs(y - 0.5 - row))
      const value = weight > 0 ? takeNearest(block, band, rules, column, row) : null
      if (value === null) continue
      sum += value * weight
      weights += weight
    }
  }
  return sum / weights
}

/** Ends with an `outside` failure where none of the places was reached. */
export function checkReached(found: readonly (PointValues | null)[]): void {
  if (found.every((values) => values === null)) {
    throw new RasterFailure('outside', 'the picture does not reach this place')
  }
}
