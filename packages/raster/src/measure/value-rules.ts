import { comparableNodata } from '../sample-types.ts'
import type { Level, Raster } from '../types.ts'
import type { ValueRules } from './value-chunk.ts'

/**
 * Which samples of a band are values: those that neither the file's mask nor its alpha band leaves out, and that are not
 * the nodata value. Alpha says which pixels of the others count; of itself all do.
 */
export function rulesOfBand(raster: Raster, level: Level, band: number, scaled: boolean): ValueRules {
  const isAlpha = band === raster.alphaBand
  const { scale, offset } = scaled ? raster.bands[band]! : { scale: 1, offset: 0 }
  return {
    masked: !isAlpha && (raster.alphaBand !== null || level.mask !== null),
    nodata: isAlpha ? null : comparableNodata(raster.nodata, raster.sampleType),
    scale,
    offset,
  }
}
