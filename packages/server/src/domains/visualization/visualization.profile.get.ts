import { visualizationProfileGet } from '@swath/contract/operations/visualization.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from '../items/access.ts'
import { profileOf, requireProfile } from './profile.ts'

export const getProfile = handler(visualizationProfileGet, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  return { profile: profileOf(await requireProfile(call.db, call.organization, item.id, input.profile_id)) }
})
