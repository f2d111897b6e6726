import type { Module } from '../../engine/task.ts'
import { getClipArea } from './operations/clip.area.metadata.ts'
import { listAreaMosaics } from './operations/clip.area.mosaics.ts'
import { listClipAreas } from './operations/clip.areas.list.ts'
import { createClipFromArea } from './operations/clip.create_from_area.ts'
import { createClipFromItem } from './operations/clip.create_from_item.ts'
import { deleteClipJob } from './operations/clip.job.delete.ts'
import { downloadClip } from './operations/clip.job.download.ts'
import { listDownloadsOfClip } from './operations/clip.job.downloads.ts'
import { getClipJob } from './operations/clip.job.get.ts'
import { getClipTileInfo } from './operations/clip.job.tile_info.ts'
import { listClipJobs } from './operations/clip.jobs.list.ts'

export const clip: Module = {
  name: 'clip',
  handlers: [
    createClipFromItem,
    createClipFromArea,
    listClipAreas,
    getClipArea,
    listAreaMosaics,
    listClipJobs,
    getClipJob,
    getClipTileInfo,
    downloadClip,
    listDownloadsOfClip,
    deleteClipJob,
  ],
  tasks: [],
}
