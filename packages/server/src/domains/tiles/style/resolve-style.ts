import { paletteToColormap, type RasterStyle as RasterLook, type Raster } from '@swath/raster'
import type { RasterClass } from '../../../platform/integrations/classification-classes.ts'
import { getPaletteColour } from '../../items/assets/classes.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import type { RenderStyle } from './render-style.ts'
import { resolveStretch, type StyledRaster } from './stretch.ts'

/** True if samples are palette classes, which must not be interpolated and use the palette colors. */
export const isCategorical = (raster: Raster, { formula, colormap, rescale, look }: RenderStyle): boolean =>
  raster.palette !== null &&
  formula === null &&
  rescale === null &&
  (colormap === null || arePaletteClasses(raster.palette, look?.classes ?? []))

/**
 * True for classes in the colours of the palette. Those of the legend can be fewer than the palette has: they are the values
 * between the extremes of statistics, and those that a file brings with it may be from a sample of its pixels.
 */
const arePaletteClasses = (palette: Uint8Array, classes: readonly RasterClass[]): boolean =>
  classes.length > 0 && classes.every(({ value, color }) => color === getPaletteColour(palette, value))

/** The resampling: nearest for palette indexes, however they are colored, and for categorical bands. */
export const chooseResampling = (
  raster: Raster,
  bands: readonly RasterBandMetadata[],
  style: RenderStyle,
): 'nearest' | 'bilinear' =>
  raster.palette !== null || style.bands.some((band) => bands[band]?.categorical === true) ? 'nearest' : 'bilinear'

/**
 * Resolves a style for the raster pool, the same for every tile of a raster: the palette of the file and the stretch are
 * filled in.
 */
export async function resolveStyle({ jobs, raster, bands, style, signal }: StyledRaster): Promise<RasterLook> {
  if (isCategorical(raster, style)) return { kind: 'bands', colormap: paletteToColormap(raster.palette!) }
  const { formula, colormap, gamma, colourOperations } = style
  const isByValue = colormap !== null && colormap.kind !== 'ramp'
  const stretch = isByValue ? {} : await resolveStretch({ jobs, raster, bands, style, signal })
  return formula
    ? {
        kind: 'expression',
        expression: formula.expression,
        bandIndexByName: formula.bandIndexes,
        ...stretch,
        colormap,
        gamma,
        colourOperations,
      }
    : { kind: 'bands', ...stretch, colormap, gamma, colourOperations }
}
