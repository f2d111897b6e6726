import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import type { NewProvenanceEdge, ProvenanceEntity } from './edge.ts'
import { deleteProvenanceTombstone, insertProvenanceEdges, insertTombstones } from './store.ts'

/** Records edges in the transaction that creates the entity. A repeated edge is stored once. */
export async function recordProvenance(tx: Tx, actor: Actor, edges: readonly NewProvenanceEdge[]): Promise<void> {
  if (edges.length === 0) return
  await insertProvenanceEdges(tx, {
    organization: actor.organization,
    edges,
    invocation: actor.requestId,
    at: actor.clock.now(),
  })
}

/** Marks an entity as deleted: its provenance stays and says so. */
export const markEntityDeleted = (tx: Tx, actor: Actor, entity: ProvenanceEntity): Promise<void> =>
  markProvenanceEntitiesDeleted(tx, actor, [entity])

/** The same for many entities. */
export const markProvenanceEntitiesDeleted = (
  tx: Tx,
  actor: Actor,
  entities: readonly ProvenanceEntity[],
): Promise<void> => insertTombstones(tx, actor.organization, entities, actor.clock.now())

/** Removes the mark of a restored entity. */
export const unmarkEntityDeleted = (tx: Tx, actor: Actor, entity: ProvenanceEntity): Promise<void> =>
  deleteProvenanceTombstone(tx, actor.organization, entity)
