import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import { deleteAssetReaders, insertAssetReaders, lockAssets, type AssetReadingEntity } from './store.asset-lifecycle.ts'

/**
 * Prevents assets from being deleted while a reader, such as a job, uses them; called in the transaction that starts the
 * reader. Throws `not-found` for a deleted asset.
 */
export async function retainAssetsForReader(
  tx: Tx,
  actor: Actor,
  reader: AssetReadingEntity,
  assets: readonly string[],
): Promise<void> {
  const existing = new Set(await lockAssets(tx, actor.organization, assets))
  const missingId = assets.find((id) => !existing.has(id.toLowerCase()))
  if (missingId !== undefined) throw new Problem('not-found', `No asset has the id "${missingId}".`)
  await insertAssetReaders(tx, { organization: actor.organization, reader, assets, now: actor.clock.now() })
}

/** Releases the assets of a reader. */
export const releaseAssetsOfReader = (tx: Tx, actor: Actor, reader: AssetReadingEntity): Promise<void> =>
  deleteAssetReaders(tx, actor.organization, reader)
