import { visualizationListFor } from '@swath/contract/operations/visualization.ts'
import { handler } from '../../engine/handler.ts'
import { waysFor } from './ways.ts'

export const listWays = handler(visualizationListFor, async (_, input) =>
  waysFor({
    band_roles: input.band_roles ?? {},
    data_type: input.data_type,
    render_params: input.render_params ?? {},
    asset: input.asset ?? null,
  }),
)
