import type { Tx } from '../../platform/database/database.ts'
import { tombstoneCollections } from '../collections/tombstone.ts'
import type { Actor } from '../../engine/actor.ts'
import { markProvenanceEntitiesDeleted } from '../provenance/record-provenance.ts'
import { releaseStoredBytes } from '../usage/stored-bytes.ts'
import { emitItemsDeleted } from './item-events.ts'
import { markAssetsDeleted, type DeletedAsset } from './assets/store.asset-lifecycle.ts'
import { listBlobAssets } from './assets/store.assets.ts'
import { lockItemsOfProject, markItemsPurged } from './store.item-lifecycle.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

const paths_per_task = 500

/**
 * Deletes assets permanently, in one transaction: their bytes are released, or attributed to another asset that shares the
 * blob; orphaned objects are deleted by a task. Returns the freed bytes.
 */
export async function deleteAssets(
  tx: Tx,
  actor: Actor,
  which: { readonly items: readonly string[] } | { readonly assets: readonly string[] },
): Promise<number> {
  const dropped = await markAssetsDeleted(tx, actor.organization, which, actor.clock.now())
  const paths = [...new Set(dropped.flatMap(({ blob_path }) => blob_path ?? []))]
  const shared = paths.length === 0 ? [] : await listBlobAssets(tx, actor.organization, paths)
  const remainingAssets = new Map(shared.map(({ object_path, asset_id }) => [object_path, asset_id]))
  const freed_bytes = await releaseStoredBytes(tx, actor, dropped.map(assetId), remainingAssets)
  await markProvenanceEntitiesDeleted(
    tx,
    actor,
    dropped.map(({ id }) => ({ type: 'asset', id })),
  )
  const orphaned = paths.filter((path) => !remainingAssets.has(path))
  for (let at = 0; at < orphaned.length; at += paths_per_task) {
    const data = { organization_id: actor.organization, paths: orphaned.slice(at, at + paths_per_task) }
    await actor.queue.enqueue(tx, backgroundTaskTypes.deleteOrphanedBlobs, data)
  }
  return freed_bytes
}

const assetId = ({ id }: DeletedAsset): string => id

/**
 * Turns items into tombstones permanently: ids, names and lineage edges stay, metadata and assets are deleted. Returns
 * the freed bytes.
 */
export async function tombstoneItems(tx: Tx, actor: Actor, ids: readonly string[]): Promise<number> {
  const freed_bytes = await deleteAssets(tx, actor, { items: ids })
  await markItemsPurged(tx, actor.organization, ids, actor.clock.now())
  await markProvenanceEntitiesDeleted(
    tx,
    actor,
    ids.map((id) => ({ type: 'item', id })),
  )
  return freed_bytes
}

/** The same for all items and collections of a project, in the transaction that deletes it; emits `item.deleted`. */
export async function tombstoneProjectContents(tx: Tx, actor: Actor, project_id: string): Promise<number> {
  const items = await lockItemsOfProject(tx, actor.organization, project_id)
  // Items that were deleted before already have their event.
  await emitItemsDeleted(
    tx,
    actor,
    items.filter(({ deleted_at }) => deleted_at === null),
  )
  const freed_bytes = await tombstoneItems(
    tx,
    actor,
    items.map(({ id }) => id),
  )
  await tombstoneCollections(tx, actor, project_id)
  return freed_bytes
}
