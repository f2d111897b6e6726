import type { Raster } from '@swath/raster'
import type { Call } from '../../../engine/call.ts'
import { openAssetRaster } from '../asset-source.ts'
import { createRasterReadBudget, type RasterReadPurpose } from '../../items/search/read-limits.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import type { ItemRow } from '../../items/store.ts'
import { convertRasterFailures } from '../failures.ts'
import { resolveItemRendering, type ItemRenderRequest } from '../item-rendering.ts'
import { parseMeasureTarget, toMeasureTarget, type MeasureTarget } from './measure-target.ts'

/** The raster of an item that is measured, and its bands or expression. */
export interface ItemMeasurementSubject {
  readonly raster: Raster
  readonly bands: readonly RasterBandMetadata[]
  readonly target: MeasureTarget
}

/**
 * Resolves the measured values of an item that the caller may read: the expression or bands, else those that the named
 * profile renders, else every band of the default asset. Throws what `resolveItemRendering` throws.
 */
export async function resolveItemMeasurement(
  call: Call,
  item: ItemRow,
  request: ItemRenderRequest,
  kind: RasterReadPurpose,
): Promise<ItemMeasurementSubject> {
  const { profile, asset_key } = request
  const { asset, bands, style } = await resolveItemRendering(call, item, { profile, asset_key })
  const isNamed = profile && !request.expression && !request.bands
  const target = isNamed ? toMeasureTarget(style) : parseMeasureTarget(request, bands)
  return {
    raster: await convertRasterFailures(() => openAssetRaster(call, asset, createRasterReadBudget(kind))),
    bands,
    target,
  }
}
