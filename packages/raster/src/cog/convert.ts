import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Raster } from '../types.ts'
import type { CogInput, CogOptions, CogResult } from './writer/cog-types.ts'
import { writeCog } from './writer/cog.ts'
import { createCutoutInput, findAreaCutout } from './sources/clip.ts'
import { createCopyInput } from './sources/copy.ts'
import type { BandSelection } from './sources/copy.ts'

export interface CogCopyOptions extends CogOptions {
  /** Added to the metadata that all files share. */
  readonly metadata?: Readonly<Record<string, string>>
  /** In degrees: only this part of the image is copied, as `createClipInput` does, and only its blocks are read. */
  readonly area?: AreaGeometry
}

/**
 * Copies files that share one grid into one cloud optimized GeoTIFF.
 *
 * @param bandPlan the output's bands in order; null takes every band of every file.
 * @throws RasterFailure what reading the files and `writeCog` throw.
 */
export async function copyToCog(
  rasters: readonly Raster[],
  bandPlan: readonly BandSelection[] | null,
  outputPath: string,
  options: CogCopyOptions = {},
): Promise<CogResult> {
  const { area, signal } = options
  const input = area ? createClippedCopy(rasters, bandPlan, area, signal) : createCopyInput(rasters, bandPlan, signal)
  return writeCog({ ...input, metadata: { ...input.metadata, ...options.metadata } }, outputPath, options)
}

function createClippedCopy(
  rasters: readonly Raster[],
  bandPlan: readonly BandSelection[] | null,
  area: AreaGeometry,
  signal: AbortSignal | undefined,
): CogInput {
  const cutout = findAreaCutout(rasters[0]!, area)
  return createCutoutInput(createCopyInput(rasters, bandPlan, signal, cutout.window), cutout)
}
