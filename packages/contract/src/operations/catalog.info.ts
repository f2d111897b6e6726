import Type from 'typebox'
import { operation } from '../operation.ts'
import { sceneRenderProblems } from '../problems.ts'
import { SceneInfo, CatalogSceneId, CatalogProviderName } from '../schemas/catalog.ts'
import { StrictObject } from '../schemas/primitives.ts'

const sceneInfoDefinition = (platform: string) => ({
  scope: 'tiles:read' as const,
  effect: 'read' as const,
  summary: `Describe the bands, bounds and zoom levels of a ${platform} scene.`,
  output: Type.Object({ info: SceneInfo }),
  problems: sceneRenderProblems,
})

export const catalogInfoLandsatOperation = operation({
  id: 'catalog.info.landsat',
  ...sceneInfoDefinition('Landsat'),
  input: StrictObject({ scene_id: CatalogSceneId }),
})

export const catalogInfoNaipOperation = operation({
  id: 'catalog.info.naip',
  ...sceneInfoDefinition('NAIP'),
  input: StrictObject({ scene_id: CatalogSceneId }),
})

export const catalogInfoSentinelOperation = operation({
  id: 'catalog.info.sentinel',
  ...sceneInfoDefinition('Sentinel'),
  input: StrictObject({ scene_id: CatalogSceneId }),
})

export const catalogInfoSampleOperation = operation({
  id: 'catalog.info.sample',
  ...sceneInfoDefinition('sample'),
  input: StrictObject({ provider: CatalogProviderName, scene_id: CatalogSceneId }),
})
