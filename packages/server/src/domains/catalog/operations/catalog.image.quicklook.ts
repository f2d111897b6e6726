import { catalogImageQuicklookOperation } from '@swath/contract/operations/catalog.ts'
import { createBytesResponse } from '../../../engine/operation-response.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { callHost, requireImageryHost } from '../hosts.ts'
import { convertImage } from '../imagery/image-format.ts'

export const handler = defineHandler(catalogImageQuicklookOperation, async (call, input) => {
  const host = requireImageryHost(call.integrations, input.host_name)
  const image = await callHost(host, host.quicklook(input.image_id, call.signal))
  if (!image) throw new Problem('not-found', `The host "${host.name}" has no scene "${input.image_id}".`)
  const { bytes, media_type } = await convertImage(call, image, input.format ?? null)
  return createBytesResponse(bytes, media_type, { 'cache-control': 'private, max-age=3600', vary: 'Accept' })
})
