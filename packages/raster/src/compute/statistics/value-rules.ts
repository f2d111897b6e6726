import { findNodataRange } from '../window/validity.ts'
import type { RasterLevel, Raster } from '../../types.ts'
import type { ValidValueRules } from './value-chunk.ts'

/**
 * Rules for the samples of a band that are values: those that the file's mask does not leave out, or without a mask neither its alpha band
 * nor nodata. Alpha says which pixels of the others count; of itself all do.
 */
export function findValidValueRules(
  raster: Raster,
  level: RasterLevel,
  band: number,
  scaled: boolean,
): ValidValueRules {
  const isAlpha = band === raster.alphaBand
  const { scale, offset } = scaled ? raster.bands[band]! : { scale: 1, offset: 0 }
  return {
    masked: !isAlpha && (raster.alphaBand !== null || level.mask !== null),
    nodata: isAlpha ? null : findNodataRange(raster),
    scale,
    offset,
  }
}
