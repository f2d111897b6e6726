import { cogTileRenderOperation } from '@swath/contract/operations/cog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { parseArea } from '../aoi.ts'
import { createImageResponse } from '../image-response.ts'
import { parseRenderStyle } from '../style/render-style.ts'
import { toImageFormat, renderRasterTile, requireTileInGrid } from '../tile.ts'
import { openRasterAtUrl } from '../url/open-raster-url.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(cogTileRenderOperation, async (call, input) => {
  const { z, x, y, quality } = input
  requireTileInGrid(input)
  const area = parseArea(input.aoi)
  const { raster, bands, checksum } = await openRasterAtUrl(call, input.url, 'tile')
  const style = parseRenderStyle(input, bands)
  const format = toImageFormat(input.format)
  const tile = {
    raster,
    bands,
    style,
    z,
    x,
    y,
    size: input.scale === 2 ? 512 : 256,
    format,
    quality,
    area,
    jobs: getCallerRasterJobRunner(call),
    signal: call.signal,
  } as const
  const { url: _, ...cacheParameters } = input
  return createImageResponse(call, checksum, { ...cacheParameters, names: bands }, () => renderRasterTile(tile))
})
