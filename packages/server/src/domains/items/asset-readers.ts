import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { deleteReaders, insertReaders, lockAssets, type AssetReader } from './store.asset-life.ts'

/**
 * Keeps assets from being deleted while something reads them, such as a job, in the transaction that begins it. Throws
 * `not-found` for one that is gone already.
 */
export async function holdAssets(tx: Tx, actor: Actor, reader: AssetReader, assets: readonly string[]): Promise<void> {
  const there = new Set(await lockAssets(tx, actor.organization, assets))
  const gone = assets.find((id) => !there.has(id.toLowerCase()))
  if (gone !== undefined) throw new Problem('not-found', `No asset has the id "${gone}".`)
  await insertReaders(tx, actor.organization, reader, assets, actor.clock.now())
}

/** The reader is done. */
export const letGoOfAssets = (tx: Tx, actor: Actor, reader: AssetReader): Promise<void> =>
  deleteReaders(tx, actor.organization, reader)
