import { invertAffine, type Affine } from '@swath/geo/affine.ts'
import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'

/** The reason for a file without georeferencing. */
export const noPlaceReason =
  'the file does not say where its pixels lie: set its place, for example with gdal_translate -a_srs and -a_ullr'
/** The reason for a file with a singular geotransform. */
export const noPixelSizeReason =
  'the pixels of the file have no size on the ground: set its place again, for example with gdal_translate -a_ullr'

/** Ends with `no_georeference`, and the reason that was found when the file was opened, where a raster has no place. */
export function requireGeoreferenced({ georeferenced, georeferencing }: Raster): void {
  if (georeferenced) return
  const reason = georeferencing.by === 'nothing' ? georeferencing.reason : noPlaceReason
  throw new RasterFailure('no_georeference', reason)
}

/** From places on the ground to pixels. Ends with `no_georeference` for pixels without a size. */
export function requireInverseAffine(affine: Affine): Affine {
  const inverse = invertAffine(affine)
  if (!inverse) throw new RasterFailure('no_georeference', noPixelSizeReason)
  return inverse
}
