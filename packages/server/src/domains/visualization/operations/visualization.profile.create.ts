import { visualizationProfileCreateOperation } from '@swath/contract/operations/visualization.profile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireItem } from '../../items/access.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { validateVisualizationProfile } from '../../tiles/style/validate-profile.ts'
import { max_profiles_per_item, toVisualizationProfile, withUniqueVisualizationProfileName } from '../profile.ts'
import {
  markNoDefaultVisualizationProfile,
  insertVisualizationProfile,
  listVisualizationProfiles,
  lockVisualizationProfiles,
  type VisualizationProfileRow,
} from '../store.ts'

export const handler = defineHandler(visualizationProfileCreateOperation, async (call, input) => {
  const { organization } = call
  const item = await requireItem(call, input.item_id, 'write')
  const now = call.clock.now()
  const profile: VisualizationProfileRow = {
    ...input,
    id: newId(),
    asset_key: input.asset_key ?? null,
    version: 1,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
  validateVisualizationProfile(profile, await findAssetsOfItem(call.db, organization, item.id))

  const created = call.transaction(async (tx) => {
    await lockVisualizationProfiles(tx, organization, item.id)
    if ((await listVisualizationProfiles(tx, organization, item.id)).length >= max_profiles_per_item) {
      throw new Problem('invalid-state', `An item has at most ${max_profiles_per_item} visualization profiles.`)
    }
    if (profile.is_default) await markNoDefaultVisualizationProfile(tx, organization, item.id, now)
    await insertVisualizationProfile(tx, organization, profile)
    return toVisualizationProfile(profile)
  })
  return withUniqueVisualizationProfileName(input.name, created)
})
