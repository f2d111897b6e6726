import { cogThumbnail } from '@swath/contract/operations/cog.ts'
import { handler } from '../../engine/handler.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { drawThumbnail } from '../rendering/thumbnail.ts'
import { rasterAt } from './resolve-address.ts'

const limit_reads = 200

export const drawCogThumbnail = handler(cogThumbnail, async (call, input) => {
  const { width, height } = input
  const { raster, bands, checksum } = await rasterAt(call, input.url, limit_reads)
  const body = await drawThumbnail({ raster, bands, width, height, signal: call.signal })
  return imageAnswer({ body, media_type: 'image/jpeg' }, checksum, { width, height, bands })
})
