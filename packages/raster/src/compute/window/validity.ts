import { computeNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { RasterLevel, Raster } from '../../types.ts'

/** The alpha band that decides which pixels are valid, if any; a mask takes precedence. */
export function findAlphaBand(raster: Raster, level: RasterLevel): number | null {
  return level.mask ? null : raster.alphaBand
}

/**
 * The range of samples that are nodata. Null if the file has a mask, which then decides alone, as in GDAL's mask bands
 * (RFC 15).
 */
export function findNodataRange(raster: Raster): NodataRange | null {
  return computeNodataRange(findEffectiveNodata(raster), raster.sampleType)
}

/** The nodata value, unless the file has a mask. */
export function findEffectiveNodata({ nodata, levels }: Raster): number | null {
  return levels[0]!.mask === null ? nodata : null
}

/**
 * The bands that can say by their own samples that nothing is there: by nodata, or by NaN, which is nodata in any file of
 * floating-point samples. Alpha says nothing about the image's values; a mask says everything.
 */
export function listBandsWithNodata(raster: Raster, level: RasterLevel, bands: readonly number[]): number[] {
  const canMiss = raster.nodata !== null || sampleTypeProperties[raster.sampleType].format === 3
  if (level.mask || !canMiss) return []
  return [...new Set(bands)].filter((band) => band !== raster.alphaBand)
}
