import { clipAreaMetadataOperation } from '@swath/contract/operations/clip.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireAreaMosaics, toClipArea } from '../areas.ts'

export const handler = defineHandler(clipAreaMetadataOperation, async (call, { area }) => ({
  area: toClipArea(await requireAreaMosaics(call, area)),
}))
