import { visualizationProfilesListOperation } from '@swath/contract/operations/visualization.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireItem } from '../../items/access.ts'
import { toProfile } from '../profile.ts'
import { listProfiles } from '../store.ts'

export const handler = defineHandler(visualizationProfilesListOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const rows = await listProfiles(call.db, call.organization, item.id)
  return toCompleteList('profiles', rows.map(toProfile))
})
