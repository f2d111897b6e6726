import { visualizationProfileSetDefaultOperation } from '@swath/contract/operations/visualization.profile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { toVisualizationProfile, requireVisualizationProfile } from '../profile.ts'
import { markNoDefaultVisualizationProfile, lockVisualizationProfiles, updateVisualizationProfile } from '../store.ts'

export const handler = defineHandler(visualizationProfileSetDefaultOperation, async (call, input) => {
  const { organization } = call
  const { id: item_id } = await requireItem(call, input.item_id, 'write')
  const now = call.clock.now()

  return call.transaction(async (tx) => {
    await lockVisualizationProfiles(tx, organization, item_id)
    const current = await requireVisualizationProfile(tx, organization, item_id, input.profile_id)
    if (current.is_default) return toVisualizationProfile(current)
    await markNoDefaultVisualizationProfile(tx, organization, item_id, now)
    // The parameters are unchanged, and so is the version.
    const profile = { ...current, is_default: true, updated_at: now }
    await updateVisualizationProfile(tx, organization, profile)
    return toVisualizationProfile(profile)
  })
})
