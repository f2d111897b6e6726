import { catalogImageQuicklook } from '@swath/contract/operations/catalog.ts'
import { bytes } from '../../engine/answer.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { asking, requireHost } from './hosts.ts'

export const drawQuicklook = handler(catalogImageQuicklook, async (call, input) => {
  const host = requireHost(call.outside, input.host_name)
  const picture = await asking(host, host.quicklook(input.image_id, call.signal))
  if (!picture) throw new Problem('not-found', `The host "${host.name}" has no scene "${input.image_id}".`)
  return bytes(picture.bytes, picture.media_type, { 'cache-control': 'private, max-age=3600' })
})
