import { visualizationProfileDeleteOperation } from '@swath/contract/operations/visualization.profile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { requireProfile } from '../profile.ts'
import { deleteProfile, lockProfiles, updateNextDefault } from '../store.ts'

export const handler = defineHandler(visualizationProfileDeleteOperation, async (call, input) => {
  const { organization } = call
  const { id: item_id } = await requireItem(call, input.item_id, 'write')

  return call.transaction(async (tx) => {
    await lockProfiles(tx, organization, item_id)
    const { id, is_default } = await requireProfile(tx, organization, item_id, input.profile_id)
    await deleteProfile(tx, organization, id)
    if (is_default) await updateNextDefault(tx, organization, item_id, call.clock.now())
    return { ok: true, id }
  })
})
