import { visualizationProfilesListOperation } from '@swath/contract/operations/visualization.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireItem } from '../../items/access.ts'
import { toVisualizationProfile } from '../profile.ts'
import { listVisualizationProfiles } from '../store.ts'

export const handler = defineHandler(visualizationProfilesListOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const rows = await listVisualizationProfiles(call.db, call.organization, item.id)
  return toCompleteList('profiles', rows.map(toVisualizationProfile))
})
