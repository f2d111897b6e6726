import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { wasMentioned } from '../events/mentions.ts'
import { findProjectOf } from '../events/store.projects.ts'
import type { Entity } from './edge.ts'
import type { Visible } from './store.ts'
import { trace, type Direction, type Trace } from './trace.ts'

type Asking = Pick<Call, 'db' | 'organization'>

/** The current or former project of a root, whose members may read its provenance; null without a project. */
export const projectOfRoot = ({ db, organization }: Asking, root: Entity): Promise<string | null> =>
  findProjectOf(db, organization, root)

/**
 * The trace of a root that the organization knows, as far as the caller may read it (null for all). Throws `not-found` for
 * an unknown root.
 */
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
  // An entity without edges in this direction may have others, or an event of its creation.
  const others = await trace(db, organization, root, 'both', 1, visible)
  if (others.edges.length > 0 || (await wasMentioned(db, organization, root))) return found
  throw new Problem('not-found', `No ${root.type} has the id "${root.id}".`)
}
