import { clipJobDownloadOperation } from '@swath/contract/operations/clip.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { itemNotFound, requireItem } from '../../items/access.ts'
import { issueDownloadUrl } from '../../items/assets/download-url.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { requireClipJob } from '../clip-job.ts'
import { insertClipDownload } from '../store.ts'

export const handler = defineHandler(clipJobDownloadOperation, async (call, input) => {
  const job = await requireClipJob(call, input.job_id)
  if (job.status !== 'completed') throw new Problem('invalid-state', `The job is ${job.status} and has no files.`)
  const [item_id] = job.item_ids
  if (item_id === undefined) throw itemNotFound(job.id)
  const item = await requireItem(call, item_id, 'read')
  const assets = await findAssetsOfItem(call.db, call.organization, item.id)
  const asset = assets.find(({ key }) => key === input.mosaic_type)
  if (!asset) throw new Problem('not-found', `The job has no mosaic of the type "${input.mosaic_type.slice(0, 100)}".`)
  const issued = await issueDownloadUrl(call, item, asset)
  await insertClipDownload(call.db, call.organization, job.id, {
    at: call.clock.now(),
    mosaic_type: asset.key,
    actor: call.principal.id,
    user_agent: input.user_agent ?? null,
    requester_ip: input.requester_ip ?? null,
  })
  const { url, expires_in_seconds, size_bytes } = issued
  return { url, expires_in_seconds, size_bytes, media_type: asset.media_type }
})
