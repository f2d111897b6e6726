import { cogThumbnail } from '@swath/contract/operations/cog.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { drawThumbnail } from '../rendering/thumbnail.ts'
import { rasterAt } from './resolve-address.ts'

export const drawCogThumbnail = handler(cogThumbnail, async (call, input) => {
  const { width, height } = input
  const { raster, bands, checksum } = await rasterAt(call, input.url, 'picture')
  const picture = { raster, bands, width, height, owner: ownerOf(call), signal: call.signal }
  const draw = async () => ({ body: await drawThumbnail(picture), media_type: 'image/jpeg' })
  return imageAnswer(checksum, { width, height, bands }, draw, call)
})
