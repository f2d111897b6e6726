import { clipAreaMetadataOperation } from '@swath/contract/operations/clip.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireMosaics, toArea } from '../areas.ts'

export const handler = defineHandler(clipAreaMetadataOperation, async (call, { area }) => ({
  area: toArea(await requireMosaics(call, area)),
}))
