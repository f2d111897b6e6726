import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { RasterFailure } from '../failures.ts'
import type { Expression } from '../compute/expression/expression.ts'
import type { FormulaSampleType } from '../compute/expression/result-type.ts'
import { buildAreaEdges } from '../compute/areas/edges.ts'
import {
  addToStatisticalMoments,
  finishStatisticalMoments,
  startStatisticalMoments,
} from '../compute/statistics/moments.ts'
import type { StatisticalMoments } from '../compute/statistics/moments.ts'
import { toOutlineRings, projectOutlineToPixels } from '../compute/areas/outline.ts'
import { findPixelSpansOfRow, startAreaRowScan } from '../compute/areas/row-spans.ts'
import type { AreaRowScan } from '../compute/areas/row-spans.ts'
import { computeWindowCost } from '../compute/window/window.ts'
import type { Window } from '../compute/window/window.ts'
import type { PixelRows, Raster } from '../types.ts'
import type { CogInput, CogResult } from './writer/cog-types.ts'
import { writeCog } from './writer/cog.ts'
import { findWindowOfArea } from './sources/clip.ts'
import { shiftAffineToPixel } from './sources/shift-affine.ts'
import { padRows } from './sources/pad-rows.ts'
import { createFormulaReader } from './sources/formula-rows.ts'
import type { OpenBandRows, FormulaValueReader } from './sources/formula-rows.ts'
import { createGridReader } from './sources/grid-reader.ts'
import { createRowReader } from './sources/row-reader.ts'
import { describeComputedBand, encodeComputedValues } from './sources/computed-band.ts'
import type { ComputedValueRows } from './sources/computed-band.ts'

/** The 0-based band of a raster for each name in a formula. */
type BandByName = Readonly<Record<string, number>>

export interface AreaChangeRequest {
  /** Of the file that is written. */
  readonly path: string
  /** In degrees; pixels count by their centres. */
  readonly area: AreaGeometry
  /** The formula whose value before is compared with that after. */
  readonly expression: Expression
  readonly bandsBefore: BandByName
  readonly bandsAfter: BandByName
  /** A pixel has changed if its value differs, and by at least this much, rounded as the values are. */
  readonly threshold: number
  /** Applies scale and offset of the bands before the formula. */
  readonly scaled?: boolean
  /** More pixels decoded, of both rasters together, is a `budget` failure. */
  readonly max_decoded_bytes?: number
  readonly signal?: AbortSignal
}

/** The change of the pixels for which both rasters have a value; the numbers of values are NaN if there is none. */
export interface AreaChange {
  /** Pixels whose centre lies in the area. */
  readonly pixels: number
  readonly count: number
  readonly increased: number
  readonly decreased: number
  readonly sum: number
  readonly minimum: number
  readonly maximum: number
  readonly mean: number
  readonly stddev: number
}

export interface AreaChangeResult {
  readonly change: AreaChange
  /** The window of the first raster that the file holds. */
  readonly window: Window
  readonly cog: CogResult
}

/**
 * Compares a formula over two rasters inside an area, on the grid of the first one; the second is resampled to it by nearest
 * neighbour. Writes after - before as a cloud optimized GeoTIFF of one band (float32, or float64 where one of the formulas needs it),
 * NaN outside and where one of them has no value. Failures: `outside` where the area does not reach the first raster, `no_georeference`, `expression`, `budget`.
 */
export async function writeAreaChange(
  before: Raster,
  after: Raster,
  request: AreaChangeRequest,
): Promise<AreaChangeResult> {
  const rings = projectOutlineToPixels(before, before.levels[0]!, toOutlineRings(request.area), 'degrees')
  const window = findWindowOfArea(rings, before)
  checkCost(before, after, window, request)
  const readers = openReaders(before, after, window, request)
  const type = readers.earlier.type === 'float64' ? 'float64' : readers.later.type
  const counter = startCounter(request.threshold, type)
  const walk = startAreaRowScan(buildAreaEdges(rings), before.width)
  const input = createInput(before, readers, { window, walk, counter, type })
  const cog = await writeCog(input, request.path, { signal: request.signal })
  const { pixels, increased, decreased, moments } = counter
  return { change: { pixels, increased, decreased, ...finishStatisticalMoments(moments) }, window, cog }
}

/** The second raster is read where it covers the window: not more pixels, if its pixels are as large. */
function checkCost(before: Raster, after: Raster, window: Window, request: AreaChangeRequest): void {
  const { expression: _, bandsBefore, bandsAfter, max_decoded_bytes: allowed } = request
  if (allowed === undefined) return
  const first = computeWindowCost(before, before.levels[0]!, window, Object.keys(bandsBefore).length).decodedBytes
  const whole: Window = [0, 0, after.width, after.height]
  const second = computeWindowCost(after, after.levels[0]!, whole, Object.keys(bandsAfter).length).decodedBytes
  if (first + Math.min(second, 4 * first) <= allowed) return
  const mebibytes = Math.round(allowed / 2 ** 20)
  throw new RasterFailure('budget', `comparing this would decode more than ${mebibytes} MiB; choose a smaller area`)
}

interface Readers {
  readonly earlier: FormulaValueReader
  readonly later: FormulaValueReader
}

function openReaders(before: Raster, after: Raster, window: Window, request: AreaChangeRequest): Readers {
  const { expression, bandsBefore, bandsAfter, scaled, signal } = request
  const [left, top, right, bottom] = window
  const grid = {
    crs: before.crs,
    affine: shiftAffineToPixel(before.affine, left, top),
    width: right - left,
    height: bottom - top,
  }
  const openFirst: OpenBandRows = (raster, bands) => createRowReader(raster, bands, window, signal)
  const openSecond: OpenBandRows = (raster, bands) => {
    const read = createGridReader(raster, grid, bands, 'nearest', signal)
    const shape = { width: grid.width, bands: bands.length, type: raster.sampleType, nodata: raster.nodata }
    return async (row, rows) => padRows(await read(row, rows), { ...shape, top: row, rows })
  }
  return {
    earlier: createFormulaReader([before], expression, { names: placesOf(bandsBefore), scaled }, openFirst),
    later: createFormulaReader([after], expression, { names: placesOf(bandsAfter), scaled }, openSecond),
  }
}

const placesOf = (bands: BandByName) =>
  Object.fromEntries(Object.entries(bands).map(([name, band]) => [name, { raster: 0, band }]))

interface ChangeCounter {
  readonly threshold: number
  readonly moments: StatisticalMoments
  pixels: number
  increased: number
  decreased: number
}

/** The threshold is rounded as the differences are, so that one of exactly that much is a change. */
const startCounter = (threshold: number, type: FormulaSampleType): ChangeCounter => ({
  threshold: type === 'float32' ? Math.fround(threshold) : threshold,
  moments: startStatisticalMoments(),
  pixels: 0,
  increased: 0,
  decreased: 0,
})

interface Comparison {
  readonly window: Window
  readonly walk: AreaRowScan
  readonly counter: ChangeCounter
  readonly type: FormulaSampleType
}

function createInput(before: Raster, { earlier, later }: Readers, comparison: Comparison): CogInput {
  const [left, top, right, bottom] = comparison.window
  return {
    width: right - left,
    height: bottom - top,
    ...describeComputedBand('change', comparison.type),
    georeferencing: { affine: shiftAffineToPixel(before.affine, left, top), crs: before.crs, geoTags: before.geoTags },
    readRows: async (row, rows): Promise<PixelRows> => {
      const values = compare(await earlier.read(row, rows), await later.read(row, rows), top + row, comparison)
      return encodeComputedValues(values)
    },
  }
}

/** The differences of rows inside the area; every row is requested once, so that the counts are complete. */
function compare(
  before: ComputedValueRows,
  after: ComputedValueRows,
  top: number,
  { window, walk, counter, type }: Comparison,
): ComputedValueRows {
  const { width, rows } = before
  const [left] = window
  const values = type === 'float32' ? new Float32Array(width * rows) : new Float64Array(width * rows)
  const mask = new Uint8Array(width * rows)
  const found = new Float64Array(width * rows)
  let count = 0
  for (let row = 0; row < rows; row++) {
    const spans = findPixelSpansOfRow(walk, top + row)
    for (let at = 0; at < spans.length; at += 2) {
      const from = row * width + Math.max(0, spans[at]! - left)
      const to = row * width + Math.min(width, spans[at + 1]! - left)
      counter.pixels += Math.max(0, to - from)
      for (let pixel = from; pixel < to; pixel++) {
        if (before.mask[pixel] === 0 || after.mask[pixel] === 0) continue
        values[pixel] = after.values[pixel]! - before.values[pixel]!
        const value = values[pixel]!
        if (!Number.isFinite(value)) continue
        mask[pixel] = 255
        found[count++] = value
        if (value > 0 && value >= counter.threshold) counter.increased++
        else if (value < 0 && value <= -counter.threshold) counter.decreased++
      }
    }
  }
  if (count > 0) addToStatisticalMoments(counter.moments, found, null, count)
  return { width, rows, values, mask }
}
