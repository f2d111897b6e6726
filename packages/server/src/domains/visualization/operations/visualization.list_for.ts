import { visualizationListForOperation } from '@swath/contract/operations/visualization.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listPresetsForBands } from '../presets.ts'

export const handler = defineHandler(visualizationListForOperation, async (_, input) =>
  listPresetsForBands({
    band_roles: input.band_roles ?? {},
    data_type: input.data_type,
    render_params: input.render_params ?? {},
    asset: input.asset ?? null,
  }),
)
