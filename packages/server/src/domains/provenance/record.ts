import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import type { Edge, Entity } from './edge.ts'
import { deleteTombstone, insertEdges, insertTombstones } from './store.ts'

/** Records lineage in the transaction that makes the thing. The same edge twice stays one edge. */
export async function record(tx: Tx, actor: Actor, edges: readonly Edge[]): Promise<void> {
  if (edges.length === 0) return
  await insertEdges(tx, actor.organization, edges, actor.requestId, actor.clock.now())
}

/** Marks a thing as deleted: lineage keeps its place and says that it is gone. */
export const bury = (tx: Tx, actor: Actor, entity: Entity): Promise<void> => buryAll(tx, actor, [entity])

/** The same for many things at once. */
export const buryAll = (tx: Tx, actor: Actor, entities: readonly Entity[]): Promise<void> =>
  insertTombstones(tx, actor.organization, entities, actor.clock.now())

/** The thing is back. */
export const unbury = (tx: Tx, actor: Actor, entity: Entity): Promise<void> =>
  deleteTombstone(tx, actor.organization, entity)
