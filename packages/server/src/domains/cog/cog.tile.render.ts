import { cogTileRender } from '@swath/contract/operations/cog.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { readArea } from '../rendering/aoi.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { readLook } from '../rendering/look.ts'
import { formatOf, renderTile, requireTile } from '../rendering/tile.ts'
import { rasterAt } from './resolve-address.ts'

export const renderCogTile = handler(cogTileRender, async (call, input) => {
  const { z, x, y, quality } = input
  requireTile(input)
  const area = readArea(input.aoi)
  const { raster, bands, checksum } = await rasterAt(call, input.url, 'tile')
  const look = readLook(input, bands)
  const format = formatOf(input.format)
  const tile = {
    raster,
    bands,
    look,
    z,
    x,
    y,
    size: input.scale === 2 ? 512 : 256,
    format,
    quality,
    area,
    owner: ownerOf(call),
    signal: call.signal,
  } as const
  const { url: _, ...drawn } = input
  return imageAnswer(checksum, { ...drawn, names: bands }, () => renderTile(tile), call)
})
