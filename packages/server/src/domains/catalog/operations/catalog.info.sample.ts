import { catalogInfoSampleOperation } from '@swath/contract/operations/catalog.info.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findSceneImage } from '../imagery/find-scene.ts'
import { describeSceneInfo } from '../imagery/scene-info.ts'

export const handler = defineHandler(catalogInfoSampleOperation, async (call, { provider, scene_id }) => ({
  info: await describeSceneInfo(call, await findSceneImage(call, { provider, scene_id })),
}))
