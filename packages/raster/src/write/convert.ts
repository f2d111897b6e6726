import type { Raster } from '../types.ts'
import type { CogOptions, CogResult } from './cog-types.ts'
import { writeCog } from './cog.ts'
import { createCopyInput } from './sources/copy.ts'
import type { BandSelection } from './sources/copy.ts'

export interface CogCopyOptions extends CogOptions {
  /** Added to the metadata that all files share. */
  readonly metadata?: Readonly<Record<string, string>>
}

/**
 * Copies files that share one grid into one cloud optimized GeoTIFF.
 *
 * @param bandPlan the output's bands in order; null takes every band of every file.
 * @throws RasterFailure what `copySource`, `readRows` and `writeCog` throw.
 */
export async function copyToCog(
  rasters: readonly Raster[],
  bandPlan: readonly BandSelection[] | null,
  outputPath: string,
  options: CogCopyOptions = {},
): Promise<CogResult> {
  const input = createCopyInput(rasters, bandPlan, options.signal)
  return writeCog({ ...input, metadata: { ...input.metadata, ...options.metadata } }, outputPath, options)
}
