import { itemsDuplicate } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { invariant } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { collectionIn } from '../collections/access.ts'
import { keepProjectOpen, requireProject } from '../projects/access.ts'
import { requireRoom } from '../uploads/reservation.ts'
import { copyProfiles } from '../visualization/profile.ts'
import { missingItem, requireItem } from './access.ts'
import { addItem, type AddedAsset } from './add-item.ts'
import { itemOf } from './item.ts'
import { assetsOf, type AssetRow } from './store.assets.ts'
import { findItem } from './store.ts'
import { lockItems } from './store.life.ts'

export const duplicateItem = handler(itemsDuplicate, async (call, input) => {
  const found = await requireItem(call, input.item_id, 'read')
  const project_id = input.target_project_id ?? found.project_id
  await requireProject(call, project_id, 'write')
  const stays = project_id === found.project_id && !input.target_collection_id
  const id = newId()

  return call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, project_id)
    // Locked until commit, so that its blobs are not deleted as orphans.
    const [source] = await lockItems(tx, call.organization, [found.id])
    if (!source || source.deleted_at !== null) throw missingItem(found.id)
    const collection_id = stays ? source.collection_id : (input.target_collection_id ?? null)
    if (collection_id !== null) await collectionIn(tx, call.organization, collection_id, project_id, true)
    const assets = await assetsOf(tx, call.organization, source.id)
    const copy = {
      ...source,
      id,
      project_id,
      collection_id,
      stac_id: id,
      name: input.new_name ?? `${source.name.slice(0, 490)} (copy)`,
      // The order delivered only the source, and its manifest must not list the copy.
      order_id: null,
      duplicated_from_id: source.id,
      latest_end: source.expires_at,
      assets: assets.map(copyOf),
      lineage: [{ relation: 'duplicated_from' as const, dst: { type: 'item', id: source.id } }],
    }
    await addItem(tx, call, copy, { shares_bytes: true })
    await copyProfiles(tx, call, source.id, id)
    await requireRoom(tx, call.organization)
    const row = await findItem(tx, call.organization, id)
    invariant(row, 'the item was inserted in this transaction')
    return itemOf(row)
  })
})

const copyOf = (asset: AssetRow): AddedAsset => ({ ...asset, id: newId() })
