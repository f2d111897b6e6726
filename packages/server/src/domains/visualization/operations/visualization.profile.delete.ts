import { visualizationProfileDeleteOperation } from '@swath/contract/operations/visualization.profile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { requireVisualizationProfile } from '../profile.ts'
import {
  deleteVisualizationProfile,
  lockVisualizationProfiles,
  updateNextDefaultVisualizationProfile,
} from '../store.ts'

export const handler = defineHandler(visualizationProfileDeleteOperation, async (call, input) => {
  const { organization } = call
  const { id: item_id } = await requireItem(call, input.item_id, 'write')

  return call.transaction(async (tx) => {
    await lockVisualizationProfiles(tx, organization, item_id)
    const { id, is_default } = await requireVisualizationProfile(tx, organization, item_id, input.profile_id)
    await deleteVisualizationProfile(tx, organization, id)
    if (is_default) await updateNextDefaultVisualizationProfile(tx, organization, item_id, call.clock.now())
    return { ok: true, id }
  })
})
