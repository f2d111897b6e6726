import { provenanceGet } from '@swath/contract/operations/provenance.ts'
import type { EntityType, Relation } from '@swath/contract/shapes/provenance.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { wasMentioned } from '../events/mentions.ts'
import { trace } from './trace.ts'

export const getProvenance = handler(provenanceGet, async (call, input) => {
  const root = { type: input.entity_type, id: input.entity_id }
  const found = await trace(call.db, call.organization, root, input.direction, input.max_depth)
  const known = found.edges.length > 0 || (await hasTraces(call.db, call.organization, root))
  if (!known) throw new Problem('not-found', `No ${root.type} has the id "${root.id}".`)
  return {
    root: { entity_type: input.entity_type, entity_id: input.entity_id },
    direction: input.direction,
    edges: found.edges.map((edge) => ({
      ...edge,
      src_type: edge.src_type as EntityType,
      dst_type: edge.dst_type as EntityType,
      relation: edge.relation as Relation,
    })),
    nodes: found.nodes.map((node) => ({ ...node, entity_type: node.entity_type as EntityType })),
    truncated: found.truncated,
  }
})

/** A thing without lineage in the asked direction is known by its other edges, or by the event of its creation. */
async function hasTraces(
  db: Parameters<typeof trace>[0],
  organization: string,
  root: { type: string; id: string },
): Promise<boolean> {
  if ((await trace(db, organization, root, 'both', 1)).edges.length > 0) return true
  return wasMentioned(db, organization, root)
}
