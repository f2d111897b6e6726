import { clipAreasListOperation } from '@swath/contract/operations/clip.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toClipAreas } from '../areas.ts'
import { listMosaics } from '../store.ts'

export const handler = defineHandler(clipAreasListOperation, async (call) =>
  toCompleteList('areas', toClipAreas(await listMosaics(call.db, call.organization, null))),
)
