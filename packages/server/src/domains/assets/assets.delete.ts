import { assetsDelete } from '@swath/contract/operations/assets.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { emit } from '../events/emit.ts'
import { requireAsset, requireItem } from '../items/access.ts'
import { assetOfLocked, describeAssets, lockForAssets } from '../items/asset-change.ts'
import { countReaders } from '../items/store.asset-life.ts'
import { removeAssets } from '../items/tombstone.ts'
import { keepProjectOpen } from '../projects/access.ts'

export const deleteAsset = handler(assetsDelete, async (call, input) => {
  const found = await requireItem(call, input.item_id, 'write', { allowExpired: true })
  const { id } = await requireAsset(call, found, input.asset_id)
  await call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, found.project_id)
    const item = await lockForAssets(tx, call, found.id)
    const asset = await assetOfLocked(tx, call, item.id, id)
    const readers = await countReaders(tx, call.organization, id)
    if (readers > 0)
      throw new Problem('invalid-state', 'A job is reading the asset; delete it when the job is done.', { readers })
    const freed_bytes = await removeAssets(tx, call, { assets: [id] })
    await describeAssets(tx, call, item)
    await emit(tx, call, {
      kind: 'asset.deleted',
      entity_type: 'asset',
      entity_id: id,
      data: { item_id: item.id, project_id: item.project_id, key: asset.key, freed_bytes },
    })
  })
  return { id }
})
