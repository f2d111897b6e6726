import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { entombCollections } from '../collections/tombstone.ts'
import { bury } from '../provenance/record.ts'
import { releaseBytes } from '../usage/stored-bytes.ts'
import { buryItemsOfProject } from './store.ts'

/**
 * Leaves tombstones of everything that a project holds, in the transaction that deletes it: ids, names and edges of
 * lineage stay, descriptions and access to the bytes go, and the bytes count no longer. Answers those that this frees.
 */
export async function entombProject(tx: Tx, actor: Actor, project_id: string): Promise<number> {
  const gone = await buryItemsOfProject(tx, actor.organization, project_id, actor.clock.now())
  await entombCollections(tx, actor, project_id)
  for (const id of gone.items) await bury(tx, actor, { type: 'item', id })
  await releaseBytes(tx, actor, gone.assets)
  for (const id of gone.assets) await bury(tx, actor, { type: 'asset', id })
  return gone.bytes
}
