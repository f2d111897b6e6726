import type { Raster } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { hasOutputMask } from './copy.ts'

type KeptFacts = Pick<CogInput, 'sampleType' | 'bands' | 'nodata' | 'masked' | 'palette' | 'whiteIsZero' | 'metadata'>

/**
 * The metadata that an image of some bands of one raster inherits, wherever its pixels lie. The image also has a mask
 * if nothing else could mark a pixel as empty: neither nodata nor an alpha band.
 */
export function findInheritedMetadata(raster: Raster, bands: readonly number[]): KeptFacts {
  const hasAlpha = raster.alphaBand !== null && bands.includes(raster.alphaBand)
  return {
    sampleType: raster.sampleType,
    bands: bands.map((band) => raster.bands[band]!),
    nodata: raster.nodata,
    masked: hasOutputMask(raster, bands) || (raster.nodata === null && !hasAlpha),
    palette: raster.palette,
    whiteIsZero: bands.length === 1 && raster.levels[0]?.photometric === 0,
    metadata: raster.metadata,
  }
}
