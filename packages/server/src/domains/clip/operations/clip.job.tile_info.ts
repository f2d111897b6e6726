import { clipJobTileInfoOperation } from '@swath/contract/operations/clip.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { describeJobTiles } from '../../processing/tile-info.ts'
import { requireClipJob } from '../clip-job.ts'

export const handler = defineHandler(clipJobTileInfoOperation, async (call, { job_id }) => ({
  tile_info: await describeJobTiles(call, await requireClipJob(call, job_id)),
}))
