import { colormapOfPalette, type Look as RasterLook, type Raster } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import type { Look } from './look.ts'
import { stretchesOf } from './stretch.ts'

/** True if samples are palette classes, which must not be interpolated and use the palette colors. */
export const isClassed = (raster: Raster, look: Look): boolean =>
  raster.palette !== null && look.formula === null && look.colormap === null && look.rescale === null

/** The resampling: nearest for palette indexes, however they are colored, and for categorical bands. */
export const resamplingOf = (raster: Raster, bands: readonly BandFacts[], look: Look): 'nearest' | 'bilinear' =>
  raster.palette !== null || look.bands.some((band) => bands[band]?.categorical === true) ? 'nearest' : 'bilinear'

/**
 * Resolves a style for the raster pool, the same for every tile of a raster: the palette of the file and the stretch are
 * filled in.
 */
export async function settleLook(
  owner: WorkOwner,
  raster: Raster,
  bands: readonly BandFacts[],
  look: Look,
  signal: AbortSignal,
): Promise<RasterLook> {
  if (isClassed(raster, look)) return { kind: 'bands', colormap: colormapOfPalette(raster.palette!) }
  const { formula, colormap } = look
  const byValue = colormap !== null && colormap.kind !== 'ramp'
  const ranges = byValue ? undefined : await stretchesOf(owner, raster, bands, look, signal)
  return formula
    ? { kind: 'expression', expression: formula.expression, places: formula.places, ranges, colormap }
    : { kind: 'bands', ranges, colormap }
}
