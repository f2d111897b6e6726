import { visualizationProfileGetOperation } from '@swath/contract/operations/visualization.profile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { toVisualizationProfile, requireVisualizationProfile } from '../profile.ts'

export const handler = defineHandler(visualizationProfileGetOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  return {
    profile: toVisualizationProfile(
      await requireVisualizationProfile(call.db, call.organization, item.id, input.profile_id),
    ),
  }
})
