import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { wasMentioned } from '../events/mentions.ts'
import { findProjectOf } from '../events/store.projects.ts'
import type { Entity } from './edge.ts'
import type { Visible } from './store.ts'
import { trace, type Direction, type Trace } from './trace.ts'

type Asking = Pick<Call, 'db' | 'organization'>

/** The project that a root lies or lay in, whose members may see where it came from; null for one in no project. */
export const projectOfRoot = ({ db, organization }: Asking, root: Entity): Promise<string | null> =>
  findProjectOf(db, organization, root)

/** The lineage of a root that is known to the organization, as far as the asker may see it (null for all). Throws `not-found` for any other. */
export async function traceOf(
  { db, organization }: Asking,
  root: Entity,
  project: string | null,
  direction: Direction,
  max_depth: number,
  visible: Visible | null,
): Promise<Trace> {
  const found = await trace(db, organization, root, direction, max_depth, visible)
  if (found.edges.length > 0 || project !== null) return found
  // A thing without lineage in the asked direction is known by its other edges, or by the event of its creation.
  const others = await trace(db, organization, root, 'both', 1, visible)
  if (others.edges.length > 0 || (await wasMentioned(db, organization, root))) return found
  throw new Problem('not-found', `No ${root.type} has the id "${root.id}".`)
}
