import { RasterFailure } from '../../failures.ts'
import { findSmallestCommonSampleType, sampleTypeProperties, getSampleTypeOfArray } from '../../sample-types.ts'
import type { Window } from '../../compute/window/window.ts'
import type { PixelRows, Raster, SampleArray, SampleType } from '../../types.ts'
import type { CogBand } from '../writer/band-metadata.ts'
import type { CogInput } from '../writer/cog-types.ts'
import type { OverviewResampling } from '../writer/downsample.ts'
import { requireAlignedGrids } from './aligned-grids.ts'
import { shiftAffineToPixel } from './shift-affine.ts'
import { viewSamplesAsWords } from '../writer/strip.ts'
import { createRowReader } from './row-reader.ts'
import type { ImageRowReader } from './row-reader.ts'

/** One band of the output and where it comes from. */
export interface BandSelection {
  /** Index into the list of files. */
  readonly raster: number
  /** 0-based band of that file. */
  readonly band: number
  /** Default: as the file says. */
  readonly name?: string
  /** red, green, blue, gray, alpha or undefined; default: as the file says. */
  readonly colour?: string
  /** Resampling of the overviews of this band, so that classes and flags are not averaged; default as for all bands. */
  readonly overview?: OverviewResampling
}

/**
 * The image of files that share one grid, side by side as bands. Every sample keeps its value; sample type, nodata,
 * reference system (the geo tags as they stand), mask, palette, names, scales and offsets are preserved. Files of
 * different sample types meet in the smallest type that holds all their values.
 *
 * @param bandPlan the output's bands in order; null takes every band of every file.
 * @param window pixels of the grid, of which alone the blocks are read; default: the whole image.
 * @throws RasterFailure `grids_differ` for files on different grids, `request` for a plan that names bands that do not
 * exist, or files that cannot share a sample type or a nodata value.
 */
export function createCopyInput(
  rasters: readonly Raster[],
  bandPlan: readonly BandSelection[] | null,
  signal?: AbortSignal,
  window?: Window,
): CogInput {
  requireAlignedGrids(rasters)
  const plan = bandPlan ?? rasters.flatMap((raster, index) => raster.bands.map((_, band) => ({ raster: index, band })))
  checkPlan(rasters, plan)
  const used = [...new Set(plan.map((choice) => choice.raster))].map((index) => rasters[index]!)
  const first = used[0]!
  const sampleType = findCommonSampleType(used)
  const part: Window = window ?? [0, 0, first.width, first.height]
  const [left, top, right, bottom] = part
  const parts = rasters.flatMap((raster, index) => describePart(raster, index, { plan, window: part, signal }))
  const affine = first.georeferenced ? shiftAffineToPixel(first.affine, left, top) : null
  return {
    width: right - left,
    height: bottom - top,
    sampleType,
    bands: plan.map((choice) => describeBand(rasters, choice, used.length > 1)),
    nodata: findCommonNodata(used),
    masked: parts.some((part) => part.masked),
    palette: first.palette,
    whiteIsZero: plan.length === 1 && first.levels[0]?.photometric === 0,
    georeferencing: { affine, crs: first.crs, geoTags: first.geoTags },
    metadata: findIdenticalRasterMetadata(used),
    readRows: joinParts(parts, right - left, plan.length, sampleType),
  }
}

function checkPlan(rasters: readonly Raster[], plan: readonly BandSelection[]): void {
  if (plan.length === 0) throw new RasterFailure('request', 'no band was chosen')
  for (const { raster, band } of plan)
    if (!rasters[raster]?.bands[band]) throw new RasterFailure('request', `file ${raster + 1} has no band ${band + 1}`)
}

/** The smallest type that holds the samples of all files. */
export function findCommonSampleType(rasters: readonly Raster[]): SampleType {
  return rasters.reduce<SampleType>((type, raster) => {
    const common = findSmallestCommonSampleType(type, raster.sampleType)
    if (common === null)
      throw new RasterFailure('request', `no sample type holds both ${type} and ${raster.sampleType}`)
    return common
  }, rasters[0]!.sampleType)
}

/** The nodata value of all files that have one. A TIFF knows one for all bands. */
export function findCommonNodata(rasters: readonly Raster[]): number | null {
  const [nodata = null, ...others] = new Set(rasters.map((raster) => raster.nodata).filter((value) => value !== null))
  if (others.length > 0)
    throw new RasterFailure('request', `the files use different nodata values: ${[nodata, ...others].join(', ')}`)
  return nodata
}

/** The facts that all files agree on. */
export function findIdenticalRasterMetadata(rasters: readonly Raster[]): Record<string, string> {
  const entries = Object.entries(rasters[0]!.metadata)
  return Object.fromEntries(
    entries.filter(([name, value]) => rasters.every((raster) => raster.metadata[name] === value)),
  )
}

function describeBand(rasters: readonly Raster[], choice: BandSelection, joined: boolean): CogBand {
  const { name, colour, scale, offset, unit } = rasters[choice.raster]!.bands[choice.band]!
  // Every single-band file calls its band gray; side by side that says nothing.
  const own = joined && colour === 'gray' ? 'undefined' : colour
  const { overview } = choice
  return { name: choice.name ?? name, colour: choice.colour ?? own, scale, offset, unit, overview }
}

/** The bands that one file contributes to the image. */
interface Part {
  readonly read: ImageRowReader
  /** Band of the image for each band that is read. */
  readonly places: readonly number[]
  readonly masked: boolean
}

function describePart(
  raster: Raster,
  index: number,
  {
    plan,
    window,
    signal,
  }: {
    readonly plan: readonly BandSelection[]
    readonly window: Window
    readonly signal: AbortSignal | undefined
  },
): Part[] {
  const places = plan.flatMap((choice, place) => (choice.raster === index ? [place] : []))
  if (places.length === 0) return []
  const bands = places.map((place) => plan[place]!.band)
  const read = createRowReader(raster, bands, window, signal)
  return [{ read, places, masked: hasOutputMask(raster, bands) }]
}

/** An alpha band that is not copied lives on as a mask. */
export function hasOutputMask(raster: Raster, bands: readonly number[]): boolean {
  return raster.levels[0]!.mask !== null || (raster.alphaBand !== null && !bands.includes(raster.alphaBand))
}

function joinParts(parts: readonly Part[], width: number, bands: number, sampleType: SampleType): ImageRowReader {
  return async (top, rows) => {
    const [only, ...others] = parts
    if (others.length === 0) return widenRowsToSampleType(await only!.read(top, rows), sampleType)
    const data = sampleTypeProperties[sampleType].allocate(width * rows * bands)
    // A pixel of the joined image is valid when it is in any of the files that can tell.
    const voters = parts.some((part) => part.masked) ? parts.filter((part) => part.masked) : parts
    let mask: Uint8Array | null = new Uint8Array(width * rows)
    for (const part of parts) {
      const read = await part.read(top, rows)
      for (const [from, place] of part.places.entries())
        placeBand(data, bands, place, widenRowsToSampleType(read, sampleType).data, read.bands, from)
      if (voters.includes(part)) mask = uniteMasks(mask, read.mask)
    }
    return { width, rows, bands, data, mask }
  }
}

/** The same rows with samples of a type that holds their values. */
export function widenRowsToSampleType(read: PixelRows, type: SampleType): PixelRows {
  if (getSampleTypeOfArray(read.data) === type) return read
  const widened = sampleTypeProperties[type].allocate(read.data.length)
  widened.set(read.data)
  return { ...read, data: widened }
}

function placeBand(
  data: SampleArray,
  bands: number,
  band: number,
  read: SampleArray,
  readBands: number,
  readBand: number,
): void {
  const [to, from] = [viewSamplesAsWords(data), viewSamplesAsWords(read)]
  for (let at = band, source = readBand; at < to.length; at += bands, source += readBands) to[at] = from[source]!
}

function uniteMasks(mask: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  if (mask === null || other === null) return null
  for (let i = 0; i < mask.length; i++) if (other[i] !== 0) mask[i] = 255
  return mask
}
