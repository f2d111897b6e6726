import { paletteToColormap, type RasterStyle as RasterLook, type Raster } from '@swath/raster'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import type { RenderStyle } from './render-style.ts'
import { getStretchRanges, type StyledRaster } from './stretch.ts'

/** True if samples are palette classes, which must not be interpolated and use the palette colors. */
export const isCategorical = (raster: Raster, style: RenderStyle): boolean =>
  raster.palette !== null && style.formula === null && style.colormap === null && style.rescale === null

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
  const { formula, colormap, gamma } = style
  const isByValue = colormap !== null && colormap.kind !== 'ramp'
  const stretchRanges = isByValue ? undefined : await getStretchRanges({ jobs, raster, bands, style, signal })
  return formula
    ? {
        kind: 'expression',
        expression: formula.expression,
        bandIndexByName: formula.bandIndexes,
        ranges: stretchRanges,
        colormap,
        gamma,
      }
    : { kind: 'bands', ranges: stretchRanges, colormap, gamma }
}
