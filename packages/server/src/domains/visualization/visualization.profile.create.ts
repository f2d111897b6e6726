import { visualizationProfileCreate } from '@swath/contract/operations/visualization.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { requireItem } from '../items/access.ts'
import { assetsOf } from '../items/store.assets.ts'
import { checkProfile } from '../rendering/check-profile.ts'
import { limit_profiles, profileOf, withName } from './profile.ts'
import { clearDefault, insertProfile, listProfiles, lockProfiles, type ProfileRow } from './store.ts'

export const createProfile = handler(visualizationProfileCreate, async (call, input) => {
  const { organization } = call
  const item = await requireItem(call, input.item_id, 'write')
  const now = call.clock.now()
  const profile: ProfileRow = {
    ...input,
    id: newId(),
    asset_key: input.asset_key ?? null,
    version: 1,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
  checkProfile(profile, await assetsOf(call.db, organization, item.id))

  const created = call.transaction(async (tx) => {
    await lockProfiles(tx, organization, item.id)
    if ((await listProfiles(tx, organization, item.id)).length >= limit_profiles) {
      throw new Problem('invalid-state', `An item has at most ${limit_profiles} visualization profiles.`)
    }
    if (profile.is_default) await clearDefault(tx, organization, item.id, now)
    await insertProfile(tx, organization, profile)
    return profileOf(profile)
  })
  return withName(input.name, created)
})
