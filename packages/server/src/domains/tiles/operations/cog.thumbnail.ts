import { cogThumbnailOperation } from '@swath/contract/operations/cog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createImageResponse } from '../image-response.ts'
import { renderThumbnail } from '../preview.ts'
import { openRasterAtUrl } from '../url/open-raster-url.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(cogThumbnailOperation, async (call, input) => {
  const { width, height } = input
  const { raster, bands, checksum } = await openRasterAtUrl(call, input.url, 'image')
  const options = { raster, bands, width, height, jobs: getCallerRasterJobRunner(call), signal: call.signal }
  const render = async () => ({ body: await renderThumbnail(options), media_type: 'image/jpeg' })
  return createImageResponse(call, checksum, { width, height, bands }, render)
})
