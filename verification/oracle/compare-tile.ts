import { readTile, type PixelBlock, type Raster, type Resampling, type SampleArray } from '@swath/raster'
import { compareSamples, countMaskDifferences, validRange, type SampleDifference } from './difference.ts'
import { formatPercent } from './findings.ts'
import type { WarpedTile, GdalInfo, GdalProcess, MapTile, TileOptions, WarpMethod } from './gdal.ts'
import { lossyTiles, tileTolerances } from './tolerances.ts'

/** A file opened by our engine and by GDAL. */
export interface OracleSubject {
  readonly gdal: GdalProcess
  readonly file: string
  readonly raster: Raster
  readonly metadata: GdalInfo
}

interface TileComparisonResult {
  readonly way: WarpMethod
  readonly difference: SampleDifference
  readonly differingMaskPixels: number
  /** The violation of a tolerance, or null. */
  readonly problem: string | null
}

/**
 * Compares one tile with that of gdalwarp with its exact transformer; `way` is the method by which gdalwarp created it. If
 * the file has an alpha band, only the colour bands are compared.
 */
export async function compareTile(
  { gdal, file, raster, metadata }: OracleSubject,
  tile: MapTile,
  resampling: Resampling,
  options: TileOptions = {},
): Promise<TileComparisonResult> {
  const bands = raster.bands.map((_, band) => band).filter((band) => band !== metadata.alpha)
  const [ours, theirs] = await Promise.all([
    readTile(raster, { ...tile, bands, resampling, budget_bytes: 2 ** 30 }),
    gdal.tile(file, raster.sampleType, tile, { resampling, ...options }),
  ])
  return { way: theirs.way, ...compareTileSamples(ours, theirs, resampling, metadata.lossy) }
}

function compareTileSamples(
  { data, mask }: PixelBlock,
  { samples, mask: theirMask, where }: WarpedTile,
  resampling: Resampling,
  lossy: boolean,
): Omit<TileComparisonResult, 'way'> {
  const comparableMask = where ? mask.map((value, at) => value & where[at]!) : mask
  const differingMaskPixels = countMaskDifferences(comparableMask, theirMask)
  const level = sampleLevel(samples, comparableMask)
  const step = tileTolerances[resampling].levels * level + (lossy ? lossyTiles.steps : 0)
  // In gdalwarp a NaN in one band of a valid pixel spreads; ours skips it.
  const difference = compareSamples(data, samples, step, { mask: comparableMask, ignoreNaN: resampling !== 'nearest' })
  return {
    difference,
    differingMaskPixels: differingMaskPixels,
    problem: describeProblem(difference, differingMaskPixels, level, requiredShare(resampling, lossy)),
  }
}

function describeProblem(
  { compared, beyond, largest }: SampleDifference,
  differingMaskPixels: number,
  level: number,
  share: number,
): string | null {
  if (differingMaskPixels > 0) return `${differingMaskPixels} pixels of the mask differ`
  if (beyond <= compared * (1 - share)) return null
  const levels = level === 1 ? `${largest}` : `${(largest / level).toPrecision(3)} levels`
  return `${beyond} of ${compared} samples (${formatPercent(beyond, compared)}) differ too much, by up to ${levels}`
}

function sampleLevel(samples: SampleArray, mask: Uint8Array): number {
  if (!(samples instanceof Float32Array || samples instanceof Float64Array)) return 1
  const [lowest, highest] = validRange(samples, mask)
  return highest > lowest ? (highest - lowest) / 1000 : Math.abs(highest) * 1e-6
}

function requiredShare(resampling: Resampling, lossy: boolean): number {
  const { share } = tileTolerances[resampling]
  return lossy ? Math.min(share, lossyTiles.share) : share
}
