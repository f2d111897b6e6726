import { clipAreasListOperation } from '@swath/contract/operations/clip.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toAreas } from '../areas.ts'
import { listMosaics } from '../store.ts'

export const handler = defineHandler(clipAreasListOperation, async (call) =>
  toCompleteList('areas', toAreas(await listMosaics(call.db, call.organization, null))),
)
