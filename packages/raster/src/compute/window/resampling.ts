import { RasterFailure } from '../../failures.ts'
import type { Raster, Resampling } from '../../types.ts'

const palette_photometric = 3

/** True where samples are indices into a palette, even one that cannot be read: no mean of them means anything. */
export function hasPaletteIndices({ palette, levels }: Raster): boolean {
  return palette !== null || levels[0]!.photometric === palette_photometric
}

/** The requested resampling, or `nearest` where samples must not be interpolated. */
export function chooseAllowedResampling(raster: Raster, resampling: Resampling): Resampling {
  return hasPaletteIndices(raster) ? 'nearest' : resampling
}

/** Refuses (`request`) to mix indices into a palette: a mean of them is the index of some other colour. */
export function rejectPaletteInterpolation(raster: Raster, resampling: Resampling): void {
  if (hasPaletteIndices(raster) && resampling !== 'nearest')
    throw new RasterFailure('request', `indices into a palette cannot be resampled by ${resampling}, only by nearest`)
}
