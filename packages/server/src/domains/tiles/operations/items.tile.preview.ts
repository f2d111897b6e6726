import { itemsTilePreviewOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { convertRasterFailures } from '../failures.ts'
import { createImageResponse } from '../image-response.ts'
import { resolveItemRendering } from '../item-rendering.ts'
import { renderRasterPreview } from '../preview.ts'
import { toImageFormat } from '../tile.ts'
import { requireItem } from '../../items/access.ts'
import { computeAssetContentTag, openAssetRaster } from '../asset-source.ts'
import { createRasterReadBudget } from '../../items/search/read-limits.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(itemsTilePreviewOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const { asset, bands, style, parameters: styleParameters } = await resolveItemRendering(call, item, input)
  const { width, height, quality } = input
  const options = { width, height, format: toImageFormat(input.format), quality }
  const render = async () => {
    const raster = await convertRasterFailures(() => openAssetRaster(call, asset, createRasterReadBudget('image')))
    return renderRasterPreview({
      ...options,
      raster,
      bands,
      style,
      jobs: getCallerRasterJobRunner(call),
      signal: call.signal,
    })
  }
  const source = await convertRasterFailures(() => computeAssetContentTag(call, asset))
  return createImageResponse(call, source, { ...options, words: styleParameters, bands }, render)
})
