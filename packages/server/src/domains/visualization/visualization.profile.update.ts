import { visualizationProfileUpdate } from '@swath/contract/operations/visualization.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from '../items/access.ts'
import { assetsOf } from '../items/store.assets.ts'
import { checkProfile } from '../rendering/check-profile.ts'
import { profileOf, requireProfile, withName } from './profile.ts'
import { clearDefault, lockProfiles, updateProfile, type ProfileRow } from './store.ts'

export const changeProfile = handler(visualizationProfileUpdate, async (call, input) => {
  const { organization } = call
  const { id: item_id } = await requireItem(call, input.item_id, 'write')
  const assets = await assetsOf(call.db, organization, item_id)
  const now = call.clock.now()

  const changed = call.transaction(async (tx) => {
    await lockProfiles(tx, organization, item_id)
    const before = await requireProfile(tx, organization, item_id, input.profile_id)
    const profile: ProfileRow = {
      ...before,
      name: input.name ?? before.name,
      type: input.type ?? before.type,
      is_default: input.is_default ?? before.is_default,
      sort_order: input.sort_order ?? before.sort_order,
      config: input.config ?? before.config,
      asset_key: input.asset_key === undefined ? before.asset_key : input.asset_key,
      version: before.version + 1,
      updated_at: now,
    }
    checkProfile(profile, assets)
    if (profile.is_default && !before.is_default) await clearDefault(tx, organization, item_id, now)
    await updateProfile(tx, organization, profile)
    return profileOf(profile)
  })
  return withName(input.name ?? '', changed)
})
