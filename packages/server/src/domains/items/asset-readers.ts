import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { deleteReaders, insertReaders, lockAssets, type AssetReader } from './store.asset-life.ts'

/**
 * Prevents assets from being deleted while a reader, such as a job, uses them; called in the transaction that starts the
 * reader. Throws `not-found` for a deleted asset.
 */
export async function holdAssets(tx: Tx, actor: Actor, reader: AssetReader, assets: readonly string[]): Promise<void> {
  const there = new Set(await lockAssets(tx, actor.organization, assets))
  const gone = assets.find((id) => !there.has(id.toLowerCase()))
  if (gone !== undefined) throw new Problem('not-found', `No asset has the id "${gone}".`)
  await insertReaders(tx, actor.organization, reader, assets, actor.clock.now())
}

/** Releases the assets of a reader. */
export const letGoOfAssets = (tx: Tx, actor: Actor, reader: AssetReader): Promise<void> =>
  deleteReaders(tx, actor.organization, reader)
