import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { markEntityDeleted } from '../provenance/record-provenance.ts'
import { deleteCollectionsOfProject } from './store.ts'

/** Marks every collection of a project deleted, in the transaction that deletes the project. */
export async function tombstoneCollections(tx: Tx, actor: Actor, project_id: string): Promise<void> {
  const ids = await deleteCollectionsOfProject(tx, actor.organization, project_id, actor.clock.now())
  for (const id of ids) await markEntityDeleted(tx, actor, { type: 'collection', id })
}
