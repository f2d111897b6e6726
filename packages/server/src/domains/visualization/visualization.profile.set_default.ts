import { visualizationProfileSetDefault } from '@swath/contract/operations/visualization.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from '../items/access.ts'
import { profileOf, requireProfile } from './profile.ts'
import { clearDefault, lockProfiles, updateProfile } from './store.ts'

export const setDefaultProfile = handler(visualizationProfileSetDefault, async (call, input) => {
  const { organization } = call
  const { id: item_id } = await requireItem(call, input.item_id, 'write')
  const now = call.clock.now()

  return call.transaction(async (tx) => {
    await lockProfiles(tx, organization, item_id)
    const before = await requireProfile(tx, organization, item_id, input.profile_id)
    if (before.is_default) return profileOf(before)
    await clearDefault(tx, organization, item_id, now)
    // The parameters are unchanged, and so is the version.
    const profile = { ...before, is_default: true, updated_at: now }
    await updateProfile(tx, organization, profile)
    return profileOf(profile)
  })
})
