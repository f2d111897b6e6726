import { catalogVizNaipOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { bandsBySceneFamily } from '../imagery/scene-families.ts'
import { listFamilyVisualizations } from '../imagery/scene-visualizations.ts'

export const handler = defineHandler(catalogVizNaipOperation, async () =>
  toCompleteList('visualizations', listFamilyVisualizations(bandsBySceneFamily.naip)),
)
