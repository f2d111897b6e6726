import { wholeWindow } from '@swath/contract/paging.ts'
import { visualizationProfilesList } from '@swath/contract/operations/visualization.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from '../items/access.ts'
import { profileOf } from './profile.ts'
import { listProfiles } from './store.ts'

export const listItemProfiles = handler(visualizationProfilesList, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const rows = await listProfiles(call.db, call.organization, item.id)
  return { profiles: rows.map(profileOf), ...wholeWindow(rows) }
})
