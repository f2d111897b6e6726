import { itemsDuplicateOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireCollectionInProject } from '../../collections/access.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { requireStorageWithinQuota } from '../../uploads/reservation.ts'
import { copyVisualizationProfiles } from '../../visualization/profile.ts'
import { itemNotFound, requireItem } from '../access.ts'
import { addItem, type AssetToAdd } from '../add-item.ts'
import { toItem } from '../item.ts'
import { findAssetsOfItem, type AssetRow } from '../assets/store.assets.ts'
import { findItem } from '../store.ts'
import { lockItems } from '../store.item-lifecycle.ts'

export const handler = defineHandler(itemsDuplicateOperation, async (call, input) => {
  const readableItem = await requireItem(call, input.item_id, 'read')
  const project_id = input.target_project_id ?? readableItem.project_id
  await requireProject(call, project_id, 'write')
  const staysInProject = project_id === readableItem.project_id && !input.target_collection_id
  const id = newId()

  return call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    // Locked until commit, so that its blobs are not deleted as orphans.
    const [source] = await lockItems(tx, call.organization, [readableItem.id])
    if (!source || source.deleted_at !== null) throw itemNotFound(readableItem.id)
    const collection_id = staysInProject ? source.collection_id : (input.target_collection_id ?? null)
    if (collection_id !== null)
      await requireCollectionInProject(tx, {
        organization: call.organization,
        id: collection_id,
        project_id,
        lock: true,
      })
    const assets = await findAssetsOfItem(tx, call.organization, source.id)
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
      max_expires_at: source.expires_at,
      assets: assets.map(copyAsset),
      lineage: [{ relation: 'duplicated_from' as const, dst: { type: 'item', id: source.id } }],
    }
    await addItem(tx, call, copy, { sharesBytes: true })
    await copyVisualizationProfiles(tx, call, source.id, id)
    await requireStorageWithinQuota(tx, call.organization)
    const row = await findItem(tx, call.organization, id)
    assertInvariant(row, 'the item was inserted in this transaction')
    return toItem(row)
  })
})

const copyAsset = (asset: AssetRow): AssetToAdd => ({ ...asset, id: newId() })
