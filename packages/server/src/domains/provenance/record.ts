import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import type { Edge, Entity } from './edge.ts'
import { deleteTombstone, insertEdges, insertTombstones } from './store.ts'

/** Records edges in the transaction that creates the entity. A repeated edge is stored once. */
export async function record(tx: Tx, actor: Actor, edges: readonly Edge[]): Promise<void> {
  if (edges.length === 0) return
  await insertEdges(tx, actor.organization, edges, actor.requestId, actor.clock.now())
}

/** Marks an entity as deleted: its provenance stays and says so. */
export const bury = (tx: Tx, actor: Actor, entity: Entity): Promise<void> => buryAll(tx, actor, [entity])

/** The same for many entities. */
export const buryAll = (tx: Tx, actor: Actor, entities: readonly Entity[]): Promise<void> =>
  insertTombstones(tx, actor.organization, entities, actor.clock.now())

/** Removes the mark of a restored entity. */
export const unbury = (tx: Tx, actor: Actor, entity: Entity): Promise<void> =>
  deleteTombstone(tx, actor.organization, entity)
