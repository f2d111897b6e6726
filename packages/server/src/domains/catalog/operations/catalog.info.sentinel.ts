import { catalogInfoSentinelOperation } from '@swath/contract/operations/catalog.info.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findSceneImage } from '../imagery/find-scene.ts'
import { isSceneOfFamily } from '../imagery/scene-families.ts'
import { describeSceneInfo } from '../imagery/scene-info.ts'

export const handler = defineHandler(catalogInfoSentinelOperation, async (call, { scene_id }) => ({
  info: await describeSceneInfo(call, await findSceneImage(call, { scene_id, matches: isSceneOfFamily('sentinel') })),
}))
