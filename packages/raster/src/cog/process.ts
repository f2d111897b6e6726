import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { requireGeoreferenced } from '../formats/crs/require-georeferenced.ts'
import { createCrsFromEpsg } from '../formats/crs/from-code.ts'
import { RasterFailure } from '../failures.ts'
import { sampleTypeProperties } from '../sample-types.ts'
import { computeWindowCost } from '../compute/window/window.ts'
import type { Raster, Resampling } from '../types.ts'
import type { CogInput, CogOptions, CogResult } from './writer/cog-types.ts'
import { writeCog } from './writer/cog.ts'
import type { CogCompression } from './writer/packing.ts'
import { createClipInputOnGrid, createClipInput } from './sources/clip.ts'
import { createCopyInput } from './sources/copy.ts'
import { createExpressionInput } from './sources/expression.ts'
import type { BandOfFile } from './sources/formula-rows.ts'
import { createMaskedInput } from './sources/masked.ts'
import type { JoinedBandNames } from './sources/match-bands.ts'
import { createMosaicInput, type MosaicPixelSelection } from './sources/mosaic.ts'
import { createPansharpenInput, type PansharpenOptions } from './sources/pansharpen.ts'
import { createRasterizeInput, type RasterizeOptions } from './sources/rasterize.ts'
import { createReprojectInput } from './sources/reproject.ts'
import { max_cached_row_bytes } from './sources/row-reader.ts'
import { createSieveInput } from './sources/sieve.ts'
import { suggestWarpGrid } from './sources/suggest-warp-grid.ts'
import { createTerrainInput, type TerrainInputOptions } from './sources/terrain.ts'

/** A process that computes one image from the rasters of a request: its name and its options, as plain data. */
export type RasterProcess =
  | { readonly name: 'clip'; readonly area: AreaGeometry }
  | { readonly name: 'copy'; readonly compression?: CogCompression; readonly quality?: number }
  | {
      readonly name: 'reproject'
      /** Null keeps the reference system. */
      readonly epsg: number | null
      /** In units of the reference system; absent: as many pixels along the diagonal. */
      readonly resolution?: number
      readonly resampling?: Resampling
      readonly useOverviews?: boolean
    }
  | {
      readonly name: 'expression'
      readonly expression: string
      readonly bands: Readonly<Record<string, BandOfFile>>
      readonly label: string
      /** True computes with value × scale + offset of the bands. */
      readonly scaled: boolean
      readonly area?: AreaGeometry
    }
  | {
      readonly name: 'mosaic'
      readonly pixelSelection: MosaicPixelSelection
      /** Names of the bands of each raster, by which they are joined; absent: those of the files. */
      readonly bandNames?: readonly JoinedBandNames[]
      readonly allowGaps?: boolean
      readonly resampling?: Resampling
    }
  | {
      /** The last raster is the classification. */
      readonly name: 'mask'
      readonly band: number
      readonly classes: readonly number[]
      readonly bits: readonly number[]
    }
  | ({ readonly name: 'terrain' } & Omit<TerrainInputOptions, 'signal'>)
  | {
      readonly name: 'sieve'
      readonly band: number
      readonly min_pixels: number
      readonly connectedness: 4 | 8
    }
  | ({ readonly name: 'pansharpen' } & Omit<PansharpenOptions, 'signal'>)
  | ({ readonly name: 'rasterize' } & Omit<RasterizeOptions, 'signal'>)

type ProcessOf<Name extends RasterProcess['name']> = Extract<RasterProcess, { readonly name: Name }>

type CreateInput<Name extends RasterProcess['name']> = (
  rasters: readonly Raster[],
  process: ProcessOf<Name>,
  signal: AbortSignal | undefined,
) => CogInput | Promise<CogInput>

const inputs: { readonly [Name in RasterProcess['name']]: CreateInput<Name> } = {
  clip: (rasters, { area }, signal) => createClipInput(single(rasters), area, { signal }),
  copy: (rasters, _, signal) => createCopyInput(rasters, null, signal),
  reproject: async (rasters, { epsg, resolution, resampling, useOverviews }, signal) => {
    const raster = single(rasters)
    requireGeoreferenced(raster)
    const crs = epsg === null ? raster.crs : await createCrsFromEpsg(epsg)
    const { cut, ...grid } = suggestWarpGrid(raster, crs, { resolution })
    const notes = cut === null ? [] : [`The result holds only the part of the image ${cut}.`]
    return { ...createReprojectInput(raster, grid, { resampling, useOverviews, signal }), notes }
  },
  expression: (rasters, { expression, bands, label, scaled, area }, signal) => {
    const input = createExpressionInput(rasters, expression, { names: bands, name: label, scaled, signal })
    return area ? createClipInputOnGrid(input, rasters[0]!, area) : input
  },
  mosaic: (rasters, { pixelSelection, resampling, bandNames, allowGaps }, signal) => {
    for (const raster of rasters) requireGeoreferenced(raster)
    return createMosaicInput(rasters, { pixelSelection, resampling, bandNames, allowGaps, signal })
  },
  mask: (rasters, { band, classes, bits }, signal) => {
    const [raster, classification] = rasters
    if (!raster || !classification) throw new RasterFailure('request', 'a raster and a classification are needed')
    return createMaskedInput(raster, classification, { band, classes, bits, signal })
  },
  terrain: (rasters, options, signal) => createTerrainInput(single(rasters), { ...options, signal }),
  sieve: (rasters, options, signal) => createSieveInput(single(rasters), { ...options, signal }),
  pansharpen: (rasters, options, signal) => createPansharpenInput(rasters, { ...options, signal }),
  rasterize: (rasters, options, signal) => createRasterizeInput(single(rasters), { ...options, signal }),
}

function single(rasters: readonly Raster[]): Raster {
  if (rasters.length !== 1) throw new RasterFailure('request', `one raster is needed, not ${rasters.length}`)
  return rasters[0]!
}

/**
 * The image that a process makes of rasters. Reads headers only, so that an impossible image is refused before any
 * pixel is read; the rows are computed when they are read.
 *
 * @throws RasterFailure the failures of the source of the process.
 */
export async function createProcessInput(
  rasters: readonly Raster[],
  process: RasterProcess,
  signal?: AbortSignal,
): Promise<CogInput> {
  const create = inputs[process.name] as CreateInput<RasterProcess['name']>
  return create(rasters, process as never, signal)
}

/** Copies of a row of blocks that are in memory while an image is computed: as read, computed, packed, and its overviews. */
const row_copies = 4
const block_rows = 512
/** Threads, codecs and the block cache. */
const base_bytes = 100_000_000

/** The band twice, its mask, and four numbers of 32 bits. */
const sievePixelBytes = (type: Raster['sampleType']): number => 17 + (2 * sampleTypeProperties[type].bits) / 8

/** The memory that making an image needs at most, in bytes: it grows with the width of the image and of the rasters. */
export function estimateProcessImageMemory(
  rasters: readonly Raster[],
  process: RasterProcess,
  input: Pick<CogInput, 'width' | 'height' | 'sampleType'> & { readonly bands: readonly unknown[] },
): number {
  const rowBytes = (width: number, bands: number, type: Raster['sampleType']): number =>
    width * bands * (sampleTypeProperties[type].bits / 8)
  const output = rowBytes(input.width, input.bands.length, input.sampleType) * block_rows * row_copies
  const sources = rasters.reduce((sum, { width, height, bands, sampleType, levels }) => {
    const row = rowBytes(width, bands.length, sampleType)
    const blockRows = Math.min(levels[0]!.block[1], height)
    // Whole rows of blocks are cached, unless they are too large: then only the requested rows.
    return sum + Math.max(row * Math.min(blockRows, block_rows), Math.min(row * blockRows, max_cached_row_bytes))
  }, 0)
  // Files are decoded one after the other.
  const block = Math.max(0, ...rasters.map(largestBlockBytes))
  const whole = process.name === 'sieve' ? input.width * input.height * sievePixelBytes(input.sampleType) : 0
  return base_bytes + output + sources + block + whole
}

function largestBlockBytes(raster: Raster): number {
  const level = raster.levels[0]!
  const rows = Math.min(block_rows, raster.height)
  return computeWindowCost(raster, level, [0, 0, raster.width, rows], raster.bands.length).blockBytes
}

export interface ProcessRequest extends CogOptions {
  /** Of the file that is written. */
  readonly path: string
  readonly process: RasterProcess
  /** Width times height times bands that the image may have at most, such as those that were paid for. */
  readonly max_samples?: number
  /** Shared with the caller: its first element is set to the finished part, in thousandths. */
  readonly progress?: Int32Array<SharedArrayBuffer>
}

/**
 * Runs a process on rasters and writes its image as a cloud optimized GeoTIFF. Throws `budget` for an image of more samples than
 * allowed, before any pixel is read.
 */
export async function runProcessToCog(
  rasters: readonly Raster[],
  { path, process, progress, max_samples = Infinity, ...options }: ProcessRequest,
): Promise<CogResult> {
  const input = await createProcessInput(rasters, process, options.signal)
  const samples = input.width * input.height * input.bands.length
  if (samples > max_samples)
    throw new RasterFailure('budget', `the image has ${samples} samples, and may have ${max_samples}`)
  return writeCog(progress ? reportProgress(input, progress) : input, path, { ...options, ...packingOf(process) })
}

/** COG options of the result of a process, which the caller cannot change. */
function packingOf(process: RasterProcess): CogOptions {
  if (process.name === 'copy') return { compression: process.compression, quality: process.quality }
  // Their values are classes, of which there is no mean.
  return process.name === 'sieve' || process.name === 'rasterize' ? { overviews: 'mode' } : {}
}

const reportProgress = (input: CogInput, progress: Int32Array<SharedArrayBuffer>): CogInput => ({
  ...input,
  readRows: async (top, rows) => {
    const read = await input.readRows(top, rows)
    Atomics.store(progress, 0, Math.floor((1000 * (top + rows)) / input.height))
    return read
  },
})
