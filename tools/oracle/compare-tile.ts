import { drawTile } from '@swath/raster'
import type { PixelBlock, Raster, Resampling, Samples } from '@swath/raster'
import { differenceOf, masksApart, rangeOf } from './difference.ts'
import type { Difference } from './difference.ts'
import { percent } from './findings.ts'
import type { DrawnTile, FileFacts, Gdal, TileOfMap, TileOptions, TileWay } from './gdal.ts'
import { LOSSY_TILES, TILE_RULES } from './tolerances.ts'

/** A file opened by our engine and by GDAL. */
export interface Subject {
  readonly gdal: Gdal
  readonly file: string
  readonly raster: Raster
  readonly facts: FileFacts
}

export interface ComparedTile {
  readonly way: TileWay
  readonly difference: Difference
  readonly masksApart: number
  /** The violation of a tolerance, or null. */
  readonly says: string | null
}

/**
 * Compares one tile with that of gdalwarp with its exact transformer; `way` is the method by which gdalwarp created it. If
 * the file has an alpha band, only the colour bands are compared.
 */
export async function compareTile(
  { gdal, file, raster, facts }: Subject,
  tile: TileOfMap,
  resampling: Resampling,
  options: TileOptions = {},
): Promise<ComparedTile> {
  const bands = raster.bands.map((_, band) => band).filter((band) => band !== facts.alpha)
  const [ours, theirs] = await Promise.all([
    drawTile(raster, { ...tile, bands, resampling, budget_bytes: 2 ** 30 }),
    gdal.tile(file, raster.sampleType, tile, resampling, options),
  ])
  return { way: theirs.way, ...judge(ours, theirs, resampling, facts.lossy) }
}

function judge(
  { data, mask }: PixelBlock,
  { samples, mask: theirMask, where }: DrawnTile,
  resampling: Resampling,
  lossy: boolean,
): Omit<ComparedTile, 'way'> {
  const drawn = where ? mask.map((value, at) => value & where[at]!) : mask
  const apart = masksApart(drawn, theirMask)
  const level = levelOf(samples, drawn)
  const step = TILE_RULES[resampling].levels * level + (lossy ? LOSSY_TILES.steps : 0)
  // In gdalwarp a NaN in one band of a valid pixel spreads; ours skips it.
  const difference = differenceOf(data, samples, step, { mask: drawn, anyForNaN: resampling !== 'nearest' })
  return { difference, masksApart: apart, says: faultOf(difference, apart, level, shareOf(resampling, lossy)) }
}

function faultOf(
  { compared, beyond, largest }: Difference,
  apart: number,
  level: number,
  share: number,
): string | null {
  if (apart > 0) return `${apart} pixels of the mask differ`
  if (beyond <= compared * (1 - share)) return null
  const levels = level === 1 ? `${largest}` : `${(largest / level).toPrecision(3)} levels`
  return `${beyond} of ${compared} samples (${percent(beyond, compared)}) differ too much, by up to ${levels}`
}

function levelOf(samples: Samples, mask: Uint8Array): number {
  if (!(samples instanceof Float32Array || samples instanceof Float64Array)) return 1
  const [lowest, highest] = rangeOf(samples, mask)
  return highest > lowest ? (highest - lowest) / 1000 : Math.abs(highest) * 1e-6
}

function shareOf(resampling: Resampling, lossy: boolean): number {
  const { share } = TILE_RULES[resampling]
  return lossy ? Math.min(share, LOSSY_TILES.share) : share
}
