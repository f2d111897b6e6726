import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { hasEntityEvents } from '../events/entity-events.ts'
import { findProjectOfEntity } from '../events/store.projects.ts'
import type { ProvenanceEntity } from './edge.ts'
import type { ProvenanceVisibilityFilter } from './store.ts'
import { traceProvenance, type ProvenanceTraceDirection, type ProvenanceTrace } from './trace.ts'

type TraceCall = Pick<Call, 'db' | 'organization'>

/** The current or former project of a root, whose members may read its provenance; null without a project. */
export const findProvenanceRootProject = (
  { db, organization }: TraceCall,
  root: ProvenanceEntity,
): Promise<string | null> => findProjectOfEntity(db, organization, root)

/**
 * The trace of a root that the organization knows, as far as the caller may read it (null for all). Throws `not-found` for
 * an unknown root.
 */
export async function getProvenanceTrace(
  { db, organization }: TraceCall,
  {
    root,
    project,
    direction,
    max_depth,
    visible,
  }: {
    readonly root: ProvenanceEntity
    readonly project: string | null
    readonly direction: ProvenanceTraceDirection
    readonly max_depth: number
    readonly visible: ProvenanceVisibilityFilter | null
  },
): Promise<ProvenanceTrace> {
  const result = await traceProvenance(db, { organization, root, direction, max_depth, visible })
  if (result.edges.length > 0 || project !== null) return result
  // An entity without edges in this direction may have others, or an event of its creation.
  const otherEdges = await traceProvenance(db, { organization, root, direction: 'both', max_depth: 1, visible })
  if (otherEdges.edges.length > 0 || (await hasEntityEvents(db, organization, root))) return result
  throw new Problem('not-found', `No ${root.type} has the id "${root.id}".`)
}
