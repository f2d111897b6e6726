import type { Tx } from '../../platform/database/database.ts'
import { entombCollections } from '../collections/tombstone.ts'
import type { Actor } from '../events/emit.ts'
import { buryAll } from '../provenance/record.ts'
import { releaseBytes } from '../usage/stored-bytes.ts'
import { announceDeleted } from './announce.ts'
import { dropAssets, type DroppedAsset } from './store.asset-life.ts'
import { listBlobAssets } from './store.assets.ts'
import { lockItemsOfProject, purgeItems } from './store.life.ts'

/** The task that removes objects that no asset refers to any more. */
export const freeBlobsTask = 'items.free-blobs'

const paths_per_task = 500

/**
 * Takes assets away for good, in one transaction: their bytes count no longer, or go on to count for another asset that
 * shares them, and objects without one are removed afterwards. Answers the bytes that this frees.
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
 * Turns items into tombstones for good: ids, names and edges of lineage stay, descriptions and bytes go. Answers the
 * bytes that this frees.
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

/** The same for everything that a project holds, in the transaction that deletes it; each item that was there is told to be deleted. */
export async function entombProject(tx: Tx, actor: Actor, project_id: string): Promise<number> {
  const items = await lockItemsOfProject(tx, actor.organization, project_id)
  // What was deleted before has been told of.
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
