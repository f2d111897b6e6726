import { cogTileTerrainOperation } from '@swath/contract/operations/cog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { parseArea } from '../aoi.ts'
import { createImageResponse } from '../image-response.ts'
import { renderTerrainTile } from '../terrain.ts'
import { requireTileInGrid } from '../tile.ts'
import { openRasterAtUrl } from '../url/open-raster-url.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(cogTileTerrainOperation, async (call, input) => {
  requireTileInGrid(input)
  const area = parseArea(input.aoi)
  const { raster, bands, checksum } = await openRasterAtUrl(call, input.url, 'tile')
  const { url: _, aoi: __, scale, ...tileOptions } = input
  const size = scale === 2 ? 512 : 256
  const render = () =>
    renderTerrainTile({
      ...tileOptions,
      raster,
      bands,
      size,
      area,
      jobs: getCallerRasterJobRunner(call),
      signal: call.signal,
    })
  return createImageResponse(call, checksum, { ...tileOptions, terrain: size, aoi: input.aoi }, render)
})
