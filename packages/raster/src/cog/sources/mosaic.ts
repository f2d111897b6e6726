import type { Affine } from '@swath/geo/affine.ts'
import type { TargetGrid } from '../../render/warp/warp-grid.ts'
import { RasterFailure } from '../../failures.ts'
import { rejectPaletteInterpolation } from '../../compute/window/resampling.ts'
import { computeNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import type { PixelRows, Raster, Resampling, SampleType } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { findIdenticalRasterMetadata, findCommonSampleType, widenRowsToSampleType } from './copy.ts'
import { findCommonEncoding, haveEqualScales } from './common-encoding.ts'
import type { CommonEncoding } from './common-encoding.ts'
import { createCompletePixelReader, createConvertedReader } from './converted-reader.ts'
import { matchBandsOfRasters } from './match-bands.ts'
import type { JoinedBandNames, JoinedSource } from './match-bands.ts'
import { openCombinedLayer } from './band-values.ts'
import type { CombinedValueLayer } from './band-values.ts'
import { findValidPixelRuns } from './pad-rows.ts'
import { createGridReader } from './grid-reader.ts'
import type { GridRows } from './grid-reader.ts'
import { computeMedianValues } from './median-values.ts'
import { mergeRasterValues } from './merge-values.ts'
import { chooseCogGeoreferencing } from './reproject.ts'
import { listMosaicExtents, shiftToGrid } from './mosaic-extents.ts'

/**
 * Rule for overlapping pixels: the `first` or `last` valid one in the list, or per band the `lowest`, `highest`,
 * `mean` or `median` of all.
 */
export type MosaicPixelSelection = 'first' | 'last' | 'lowest' | 'highest' | 'mean' | 'median'

export interface MosaicOptions {
  /** Default: that of the first file, made large enough for all. */
  readonly grid?: TargetGrid
  /** Default first. */
  readonly pixelSelection?: MosaicPixelSelection
  /** For files whose pixels do not lie on those of the grid; default nearest. */
  readonly resampling?: Resampling
  /** Names of the bands of each file, by which they are joined; default: those that the files say. */
  readonly bandNames?: readonly JoinedBandNames[]
  /** True lays a grid around files that leave most of it empty; without it that is a `request` failure. */
  readonly allowGaps?: boolean
  readonly signal?: AbortSignal
}

/**
 * Several files as one image on one grid; those in other reference systems or on other grids are resampled. Sample
 * types meet in the smallest type that holds all values. Nodata is preserved if all files share it; else a mask marks
 * the pixels that no file covers. Names and colours of the bands are those of the first file. Files of different scales
 * and offsets are joined by the values that their samples stand for, with one scale and offset (`findCommonEncoding`).
 *
 * @throws RasterFailure `request` for no files, files of different numbers of bands or meanings of their samples, files
 * that lie so far apart that the image would be almost empty, and the failures of `prepareWarp`.
 */
export function createMosaicInput(rasters: readonly Raster[], options: MosaicOptions = {}): CogInput {
  const [first] = rasters
  if (!first) throw new RasterFailure('request', 'there is no file to join')
  const { pixelSelection = 'first', resampling = 'nearest', signal } = options
  checkAlike(rasters, pixelSelection, resampling)
  const sources = matchBandsOfRasters(rasters, options.bandNames)
  const encoding = chooseEncoding(sources)
  const { sampleType, nodata, masked } = encoding
  const grid = options.grid ?? gridAround(rasters, options.allowGaps ?? false)
  const layers = sources.map((source, index) => {
    const read = createGridReader(shiftToGrid(source.raster, grid), grid, source.bands, resampling, signal)
    const { common } = encoding
    if (!common) {
      const whole = nodata === null ? createCompletePixelReader(source.raster, source.bands, read) : read
      return openCombinedLayer(source.raster, source.bands, whole)
    }
    const converted = createConvertedReader(source, read, common.conversions[index]!, common)
    return openCombinedLayer(source.raster, source.bands, converted, computeNodataRange(nodata, sampleType))
  })
  const { length } = first.bands
  const shape = { width: grid.width, bands: length, type: sampleType, nodata, masked, alphaBand: first.alphaBand }
  return {
    width: grid.width,
    height: grid.height,
    sampleType,
    bands: describeBands(sources, encoding.common),
    nodata,
    masked,
    palette: first.palette,
    whiteIsZero: first.bands.length === 1 && first.levels[0]?.photometric === 0,
    georeferencing: chooseCogGeoreferencing(grid, first.crs, first.geoTags),
    metadata: findIdenticalRasterMetadata(rasters),
    readRows: createMosaicReader(layers, pixelSelection, shape),
  }
}

interface MosaicEncoding {
  readonly sampleType: SampleType
  readonly nodata: number | null
  readonly masked: boolean
  /** Null where samples stay as they are. */
  readonly common: CommonEncoding | null
}

function chooseEncoding(sources: readonly JoinedSource[]): MosaicEncoding {
  const rasters = sources.map(({ raster }) => raster)
  const first = rasters[0]!
  if (!haveEqualScales(sources)) {
    const common = findCommonEncoding(sources)
    return { ...common, masked: common.nodata === null && first.alphaBand === null, common }
  }
  const nodata = rasters.every((raster) => Object.is(raster.nodata, first.nodata)) ? first.nodata : null
  const masked =
    first.alphaBand === null && (nodata === null || rasters.some((raster) => raster.levels[0]!.mask !== null))
  return { sampleType: findCommonSampleType(rasters), nodata, masked, common: null }
}

/** The bands of the first file, with the common scales, and the unit of the first file that says one. */
const describeBands = (sources: readonly JoinedSource[], common: CommonEncoding | null): CogInput['bands'] =>
  sources[0]!.raster.bands.map((band, at) => ({
    ...band,
    ...common?.scales[at],
    ...(common ? { statistics: null } : {}),
    unit: sources.map(({ raster, bands }) => raster.bands[bands[at]!]!.unit).find(Boolean) ?? null,
  }))

function checkAlike(rasters: readonly Raster[], order: MosaicPixelSelection, resampling: Resampling): void {
  const first = rasters[0]!
  for (const [index, raster] of rasters.entries()) {
    rejectPaletteInterpolation(raster, order === 'mean' || order === 'median' ? 'average' : resampling)
    const differs =
      raster.bands.length !== first.bands.length
        ? `${raster.bands.length} bands, not ${first.bands.length}`
        : raster.alphaBand !== first.alphaBand
          ? 'its alpha elsewhere'
          : !samePalette(raster.palette, first.palette)
            ? 'another palette'
            : null
    if (differs)
      throw new RasterFailure('request', `file ${index + 1} has ${differs}, so it cannot be joined to file 1`)
  }
}

function samePalette(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0)
}

/** The grid of the first file, with as many more pixels on each side as the others need. */
function gridAround(rasters: readonly Raster[], allowGaps: boolean): TargetGrid {
  const first = rasters[0]!
  const [x, stepX, turnX, y, turnY, stepY] = first.affine
  if (turnX !== 0 || turnY !== 0 || !(stepX > 0 && stepY < 0))
    throw new RasterFailure('request', 'the first image is rotated against its reference system: reproject it first')
  const boxes = listMosaicExtents(rasters)
  const left = outward((Math.min(...boxes.map((box) => box.left)) - x) / stepX, Math.floor)
  const top = outward((Math.max(...boxes.map((box) => box.top)) - y) / stepY, Math.floor)
  const right = outward((Math.max(...boxes.map((box) => box.right)) - x) / stepX, Math.ceil)
  const bottom = outward((Math.min(...boxes.map((box) => box.bottom)) - y) / stepY, Math.ceil)
  const affine: Affine = [x + left * stepX, stepX, 0, y + top * stepY, 0, stepY]
  const grid = { crs: first.crs, affine, width: right - left, height: bottom - top }
  const covered = boxes.reduce(
    (sum, box) => sum + ((box.right - box.left) / stepX) * ((box.bottom - box.top) / stepY),
    0,
  )
  if (!allowGaps) requireCovered(grid, covered, first.bands.length)
  return grid
}

/** Samples up to which an image may be empty, and the least part of a larger one that must be covered. */
const max_empty_samples = 16_000_000
const min_covered_part = 0.1

function requireCovered({ width, height }: TargetGrid, covered: number, bands: number): void {
  const pixels = width * height
  if (pixels * bands <= max_empty_samples || covered >= pixels * min_covered_part) return
  const count = (value: number): string => Math.round(value).toLocaleString('en-US')
  throw new RasterFailure(
    'request',
    `the images lie so far apart that one of ${count(width)} × ${count(height)} pixels around them would be empty but for ${count(covered)} of ${count(pixels)} pixels; join images that lie closer together, or allow gaps`,
  )
}

/** A whole number of pixels outward, but not one more for the noise of rounding. */
function outward(pixels: number, round: (value: number) => number): number {
  const near = Math.round(pixels)
  return Math.abs(pixels - near) < 0.001 ? near : round(pixels)
}

interface MosaicShape {
  readonly width: number
  readonly bands: number
  readonly type: SampleType
  readonly nodata: number | null
  readonly masked: boolean
  readonly alphaBand: number | null
}

function createMosaicReader(
  layers: readonly CombinedValueLayer[],
  order: MosaicPixelSelection,
  { width, bands, type, nodata, masked, alphaBand }: MosaicShape,
): CogInput['readRows'] {
  // A mask takes precedence over nodata, which is then a value like others.
  const range = masked ? null : computeNodataRange(nodata, type)
  return async (top, rows) => {
    const data = sampleTypeProperties[type].allocate(width * rows * bands)
    if (nodata !== null) data.fill(nodata)
    const into: PixelRows = { width, rows, bands, data, mask: new Uint8Array(width * rows) }
    const target = { pixels: into, nodata: range, alphaBand }
    if (order === 'median') {
      await computeMedianValues(layers, top, target)
      return into
    }
    if (order !== 'first' && order !== 'last') {
      await mergeRasterValues(layers, order, top, target)
      return into
    }
    // Whoever comes first stays.
    for (const { read } of order === 'first' ? layers : layers.toReversed()) {
      if (!into.mask!.includes(0)) break
      const found = await read(top, rows)
      if (found) layUnder({ ...found, pixels: widenRowsToSampleType(found.pixels, type) }, top, into)
    }
    return into
  }
}

/** Fills pixels that are still empty. */
function layUnder({ left, top, pixels }: GridRows, first: number, into: PixelRows): void {
  const { width, bands, data } = into
  const mask = into.mask!
  for (let row = 0; row < pixels.rows; row++) {
    const from = row * pixels.width
    const shift = (top - first + row) * width + left - from
    for (const [start, end] of findValidPixelRuns(pixels, from)) {
      // Searches end with the run: to the end of all rows they would cost a whole strip for each.
      const taken = mask.subarray(0, end + shift)
      for (let at = taken.indexOf(0, start + shift); at >= 0;) {
        const next = taken.indexOf(255, at)
        const stop = next < 0 ? end + shift : next
        data.set(pixels.data.subarray((at - shift) * bands, (stop - shift) * bands), at * bands)
        mask.fill(255, at, stop)
        at = taken.indexOf(0, stop)
      }
    }
  }
}
