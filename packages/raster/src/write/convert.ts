import { RasterFailure } from '../failures.ts'
import { commonSampleType, SAMPLE_TYPES } from '../sample-types.ts'
import { readWindow } from '../tiff/read.ts'
import type { PixelBlock, Raster, SampleType } from '../types.ts'
import type { CogBand } from './band-metadata.ts'
import type { CogInput, CogOptions, CogResult } from './cog-types.ts'
import { writeCog } from './cog.ts'
import { checkOneGrid } from './one-grid.ts'
import type { OverviewResampling } from './overview.ts'

/** One band of the output and where it comes from. */
export interface BandChoice {
  /** Index into the list of files. */
  readonly raster: number
  /** 0-based band of that file. */
  readonly band: number
  /** Default: as the file says. */
  readonly name?: string
  /** red, green, blue, gray, alpha or undefined; default: as the file says. */
  readonly colour?: string
  /** How this band's overviews are made, so that classes and flags are not averaged; default as for all bands. */
  readonly overview?: OverviewResampling
}

export interface CopyOptions extends CogOptions {
  /** Added to the facts that all files agree on. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** What reading one row of blocks may cost: the answer, and the source's own blocks. */
const READ_BUDGET_BYTES = 1_073_741_824
/** Rows kept between two readings, when the source's blocks are higher than the output's. */
const KEPT_BYTES = 134_217_728

/**
 * Copies files that share one grid into one cloud optimized GeoTIFF. Every sample keeps its value; sample type, nodata,
 * reference system (the geo tags as they stand), mask, palette, names, scales and offsets are kept. Files of different
 * sample types meet in the smallest type that holds all their values.
 *
 * @param bandPlan the output's bands in order; null takes every band of every file.
 * @throws RasterFailure `grids_differ` for files on different grids, `request` for a plan that names what is not there
 * or files that cannot share a sample type or a nodata value, and what `readWindow` and `writeCog` throw.
 */
export async function copyToCog(
  rasters: readonly Raster[],
  bandPlan: readonly BandChoice[] | null,
  outputPath: string,
  options: CopyOptions = {},
): Promise<CogResult> {
  checkOneGrid(rasters)
  const plan = bandPlan ?? rasters.flatMap((raster, index) => raster.bands.map((_, band) => ({ raster: index, band })))
  checkPlan(rasters, plan)
  const used = [...new Set(plan.map((choice) => choice.raster))].map((index) => rasters[index]!)
  const first = used[0]!
  const sampleType = shareSampleType(used)
  const chosen = rasters.map((_, index) =>
    plan.filter((choice) => choice.raster === index).map((choice) => choice.band),
  )
  const isMasked = rasters.map((raster, index) => carriesMask(raster, chosen[index]!))
  return writeCog(
    {
      width: first.width,
      height: first.height,
      sampleType,
      bands: plan.map((choice) => describeBand(rasters, choice, used.length > 1)),
      nodata: shareNodata(used),
      masked: isMasked.some(Boolean),
      palette: first.palette,
      whiteIsZero: plan.length === 1 && first.levels[0]?.photometric === 0,
      placement: { affine: first.georeferenced ? first.affine : null, crs: first.crs, geoTags: first.geoTags },
      metadata: { ...shareMetadata(used), ...options.metadata },
      readRows: joinRows(rasters, plan, chosen, isMasked, sampleType, options.signal),
    },
    outputPath,
    { ...options, overviews: chooseOverviews(plan, first.palette !== null, options.overviews) },
  )
}

function chooseOverviews(
  plan: readonly BandChoice[],
  indexed: boolean,
  wanted: CogOptions['overviews'],
): OverviewResampling[] {
  const forAll = typeof wanted === 'string' ? wanted : indexed ? 'mode' : 'average'
  return plan.map((choice, band) => choice.overview ?? (typeof wanted === 'object' ? wanted[band] : null) ?? forAll)
}

function checkPlan(rasters: readonly Raster[], plan: readonly BandChoice[]): void {
  if (plan.length === 0) throw new RasterFailure('request', 'no band was chosen')
  for (const { raster, band } of plan)
    if (!rasters[raster]?.bands[band]) throw new RasterFailure('request', `file ${raster + 1} has no band ${band + 1}`)
}

function shareSampleType(rasters: readonly Raster[]): SampleType {
  return rasters.reduce<SampleType>((type, raster) => {
    const common = commonSampleType(type, raster.sampleType)
    if (common === null)
      throw new RasterFailure('request', `no sample type holds both ${type} and ${raster.sampleType}`)
    return common
  }, rasters[0]!.sampleType)
}

/** A TIFF knows one nodata value for all bands. */
function shareNodata(rasters: readonly Raster[]): number | null {
  const [nodata = null, ...others] = new Set(rasters.map((raster) => raster.nodata).filter((value) => value !== null))
  if (others.length > 0)
    throw new RasterFailure('request', `the files use different nodata values: ${[nodata, ...others].join(', ')}`)
  return nodata
}

/** An alpha band that is not copied lives on as a mask. */
function carriesMask(raster: Raster, bands: readonly number[]): boolean {
  if (bands.length === 0) return false
  return raster.levels[0]!.mask !== null || (raster.alphaBand !== null && !bands.includes(raster.alphaBand))
}

function shareMetadata(rasters: readonly Raster[]): Record<string, string> {
  const entries = Object.entries(rasters[0]!.metadata)
  return Object.fromEntries(
    entries.filter(([name, value]) => rasters.every((raster) => raster.metadata[name] === value)),
  )
}

function describeBand(rasters: readonly Raster[], choice: BandChoice, joined: boolean): CogBand {
  const { name, colour, scale, offset } = rasters[choice.raster]!.bands[choice.band]!
  // Every single-band file calls its band gray; side by side that says nothing.
  const own = joined && colour === 'gray' ? 'undefined' : colour
  return { name: choice.name ?? name, colour: choice.colour ?? own, scale, offset }
}

function joinRows(
  rasters: readonly Raster[],
  plan: readonly BandChoice[],
  chosen: readonly (readonly number[])[],
  isMasked: readonly boolean[],
  sampleType: SampleType,
  signal: AbortSignal | undefined,
): CogInput['readRows'] {
  const readers = rasters.map((raster, index) => createRowReader(raster, chosen[index]!, signal))
  const sources = rasters.map((_, index) => index).filter((index) => chosen[index]!.length > 0)
  const only = sources.length === 1 ? sources[0]! : -1
  return async (top, rows) => {
    if (only >= 0 && rasters[only]!.sampleType === sampleType) return readers[only]!(top, rows)
    const { width } = rasters[0]!
    const count = width * rows
    const data = SAMPLE_TYPES[sampleType].allocate(count * plan.length)
    const mask = new Uint8Array(count)
    for (const index of sources) {
      const block = await readers[index]!(top, rows)
      let from = 0
      for (const [band, choice] of plan.entries())
        if (choice.raster === index) data.set(block.data.subarray(from, (from += count)), band * count)
      if (isMasked[index] || !isMasked.some(Boolean)) uniteMasks(mask, block.mask)
    }
    return { width, height: rows, bands: plan.length, data, mask }
  }
}

/** A pixel of the joined image is valid when it is in any of the files that can tell. */
function uniteMasks(mask: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < mask.length; i++) if (other[i] !== 0) mask[i] = 255
}

/** Reads full-width rows from the top down; blocks higher than what is asked for are decoded once and kept. */
function createRowReader(
  raster: Raster,
  bands: readonly number[],
  signal: AbortSignal | undefined,
): (top: number, rows: number) => Promise<PixelBlock> {
  const blockHeight = raster.levels[0]!.block[1]
  const rowBytes = (raster.width * bands.length * SAMPLE_TYPES[raster.sampleType].bits) / 8
  let kept: { top: number; block: PixelBlock } | null = null
  const read = (top: number, rows: number): Promise<PixelBlock> =>
    readWindow(raster, { window: [0, top, raster.width, top + rows], bands, budget_bytes: READ_BUDGET_BYTES, signal })
  return async (top, rows) => {
    if (kept && top >= kept.top && top + rows <= kept.top + kept.block.height)
      return cutRows(kept.block, top - kept.top, rows)
    kept = null
    const ahead = Math.min(Math.ceil(blockHeight / rows) * rows, raster.height - top)
    if (ahead <= rows || ahead * rowBytes > KEPT_BYTES) return read(top, rows)
    kept = { top, block: await read(top, ahead) }
    return cutRows(kept.block, 0, rows)
  }
}

function cutRows(block: PixelBlock, top: number, rows: number): PixelBlock {
  const { width, height, bands } = block
  const count = width * rows
  const data = block.data.slice(0, count * bands)
  for (let band = 0; band < bands; band++) {
    const from = (band * height + top) * width
    data.set(block.data.subarray(from, from + count), band * count)
  }
  return { width, height: rows, bands, data, mask: block.mask.slice(top * width, top * width + count) }
}
