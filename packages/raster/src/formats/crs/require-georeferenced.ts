import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'

/** Ends with `no_georeference`, and the reason that was found when the file was opened, where a raster has no place. */
export function requireGeoreferenced({ georeferenced, georeferencing }: Raster): void {
  if (georeferenced) return
  const reason = georeferencing.by === 'nothing' ? georeferencing.reason : 'the file does not say where its pixels lie'
  throw new RasterFailure('no_georeference', reason)
}
