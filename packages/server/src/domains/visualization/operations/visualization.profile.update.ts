import { visualizationProfileUpdateOperation } from '@swath/contract/operations/visualization.profile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { validateVisualizationProfile } from '../../tiles/style/validate-profile.ts'
import { toVisualizationProfile, requireVisualizationProfile, withUniqueVisualizationProfileName } from '../profile.ts'
import {
  markNoDefaultVisualizationProfile,
  lockVisualizationProfiles,
  updateVisualizationProfile,
  type VisualizationProfileRow,
} from '../store.ts'

export const handler = defineHandler(visualizationProfileUpdateOperation, async (call, input) => {
  const { organization } = call
  const { id: item_id } = await requireItem(call, input.item_id, 'write')
  const assets = await findAssetsOfItem(call.db, organization, item_id)
  const now = call.clock.now()

  const changed = call.transaction(async (tx) => {
    await lockVisualizationProfiles(tx, organization, item_id)
    const current = await requireVisualizationProfile(tx, organization, item_id, input.profile_id)
    const profile: VisualizationProfileRow = {
      ...current,
      name: input.name ?? current.name,
      type: input.type ?? current.type,
      is_default: input.is_default ?? current.is_default,
      sort_order: input.sort_order ?? current.sort_order,
      config: input.config ?? current.config,
      asset_key: input.asset_key === undefined ? current.asset_key : input.asset_key,
      version: current.version + 1,
      updated_at: now,
    }
    validateVisualizationProfile(profile, assets)
    if (profile.is_default && !current.is_default)
      await markNoDefaultVisualizationProfile(tx, organization, item_id, now)
    await updateVisualizationProfile(tx, organization, profile)
    return toVisualizationProfile(profile)
  })
  return withUniqueVisualizationProfileName(input.name ?? '', changed)
})
