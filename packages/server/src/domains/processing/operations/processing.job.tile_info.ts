import { processingJobTileInfoOperation } from '@swath/contract/operations/processing.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireJob } from '../access.ts'
import { describeJobTiles } from '../tile-info.ts'

export const handler = defineHandler(processingJobTileInfoOperation, async (call, { job_id }) => ({
  tile_info: await describeJobTiles(call, await requireJob(call, job_id, 'read')),
}))
