import type { Tx } from '../../platform/database/database.ts'
import { entombCollections } from '../collections/tombstone.ts'
import type { Actor } from '../events/emit.ts'
import { buryAll } from '../provenance/record.ts'
import { releaseBytes } from '../usage/stored-bytes.ts'
import { announceDeleted } from './announce.ts'
import { dropAssets, type DroppedAsset } from './store.asset-life.ts'
import { listBlobAssets } from './store.assets.ts'
import { lockItemsOfProject, purgeItems } from './store.life.ts'

/** The task that deletes objects that no asset refers to. */
export const freeBlobsTask = 'items.free-blobs'

const paths_per_task = 500

/**
 * Deletes assets permanently, in one transaction: their bytes are released, or attributed to another asset that shares the
 * blob; orphaned objects are deleted by a task. Returns the freed bytes.
 */
export async function removeAssets(
  tx: Tx,
  actor: Actor,
  which: { readonly items: readonly string[] } | { readonly assets: readonly string[] },
): Promise<number> {
  const gone = await dropAssets(tx, actor.organization, which, actor.clock.now())
  const paths = [...new Set(gone.flatMap(({ blob_path }) => blob_path ?? []))]
  const shared = paths.length === 0 ? [] : await listBlobAssets(tx, actor.organization, paths)
  const heirs = new Map(shared.map(({ object_path, asset_id }) => [object_path, asset_id]))
  const freed = await releaseBytes(tx, actor, gone.map(idOf), heirs)
  await buryAll(
    tx,
    actor,
    gone.map(({ id }) => ({ type: 'asset', id })),
  )
  const left = paths.filter((path) => !heirs.has(path))
  for (let at = 0; at < left.length; at += paths_per_task) {
    const data = { organization_id: actor.organization, paths: left.slice(at, at + paths_per_task) }
    await actor.queue.enqueue(tx, freeBlobsTask, data)
  }
  return freed
}

const idOf = ({ id }: DroppedAsset): string => id

/**
 * Turns items into tombstones permanently: ids, names and lineage edges stay, metadata and assets are deleted. Returns
 * the freed bytes.
 */
export async function entombItems(tx: Tx, actor: Actor, ids: readonly string[]): Promise<number> {
  const freed = await removeAssets(tx, actor, { items: ids })
  await purgeItems(tx, actor.organization, ids, actor.clock.now())
  await buryAll(
    tx,
    actor,
    ids.map((id) => ({ type: 'item', id })),
  )
  return freed
}

/** The same for all items and collections of a project, in the transaction that deletes it; emits `item.deleted`. */
export async function entombProject(tx: Tx, actor: Actor, project_id: string): Promise<number> {
  const items = await lockItemsOfProject(tx, actor.organization, project_id)
  // Items that were deleted before already have their event.
  await announceDeleted(
    tx,
    actor,
    items.filter(({ deleted_at }) => deleted_at === null),
  )
  const freed = await entombItems(
    tx,
    actor,
    items.map(({ id }) => id),
  )
  await entombCollections(tx, actor, project_id)
  return freed
}
