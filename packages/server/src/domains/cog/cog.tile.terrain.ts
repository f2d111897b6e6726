import { cogTileTerrain } from '@swath/contract/operations/cog.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { readArea } from '../rendering/aoi.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { renderTerrain } from '../rendering/terrain.ts'
import { requireTile } from '../rendering/tile.ts'
import { rasterAt } from './resolve-address.ts'

export const renderCogTerrain = handler(cogTileTerrain, async (call, input) => {
  requireTile(input)
  const area = readArea(input.aoi)
  const { raster, bands, checksum } = await rasterAt(call, input.url, 'tile')
  const { url: _, aoi: __, scale, ...terms } = input
  const size = scale === 2 ? 512 : 256
  const draw = () => renderTerrain({ ...terms, raster, bands, size, area, owner: ownerOf(call), signal: call.signal })
  return imageAnswer(checksum, { ...terms, terrain: size, aoi: input.aoi }, draw, call)
})
