import { assetsDeleteOperation } from '@swath/contract/operations/assets.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { emitEvent } from '../../events/emit.ts'
import { requireAsset, requireItem } from '../../items/access.ts'
import { requireAssetOfLockedItem, updateStacAssets, lockItemForAssetChange } from '../../items/assets/asset-change.ts'
import { countAssetReaders } from '../../items/assets/store.asset-lifecycle.ts'
import { deleteAssets } from '../../items/tombstone.ts'
import { lockOpenProject } from '../../projects/access.ts'

export const handler = defineHandler(assetsDeleteOperation, async (call, input) => {
  const readableItem = await requireItem(call, input.item_id, 'write', { allowExpired: true })
  const { id } = await requireAsset(call, readableItem, input.asset_id)
  await call.transaction(async (tx) => {
    await lockOpenProject(tx, call, readableItem.project_id)
    const item = await lockItemForAssetChange(tx, call, readableItem.id)
    const asset = await requireAssetOfLockedItem(tx, call, item.id, id)
    const readers = await countAssetReaders(tx, call.organization, id)
    if (readers > 0)
      throw new Problem('invalid-state', 'A job is reading the asset; delete it when the job is done.', { readers })
    const freed_bytes = await deleteAssets(tx, call, { assets: [id] })
    await updateStacAssets(tx, call, item)
    await emitEvent(tx, call, {
      kind: 'asset.deleted',
      entity_type: 'asset',
      entity_id: id,
      data: { item_id: item.id, project_id: item.project_id, key: asset.key, freed_bytes },
    })
  })
  return { id }
})
