import type { Raster } from '@swath/raster'
import { readRasterMetadata } from '../../items/assets/read-raster-metadata.ts'
import { computeZoomRangeAndBounds } from '../../tiles/zoom.ts'

/**
 * Half the longest side of a quicklook: the zoom level that is found is up to twice as fine, so never finer than the
 * quicklook.
 */
const max_side = 256

/** The deepest zoom level at which a scene shows no more than its quicklook. */
export function computePreviewMaxZoom(raster: Raster): number {
  const { bounds, width, height } = readRasterMetadata(raster)
  const scale = Math.min(1, max_side / Math.max(width, height))
  return computeZoomRangeAndBounds({ bounds, width: width * scale, height: height * scale }).maxzoom
}
