import { provenanceGet } from '@swath/contract/operations/provenance.ts'
import type { EntityType, Relation } from '@swath/contract/shapes/provenance.ts'
import { handler } from '../../engine/handler.ts'
import { requireRecords } from '../projects/record-access.ts'
import { visibilityOf } from '../projects/visibility.ts'
import { projectOfRoot, traceOf } from './trace-of.ts'

export const getProvenance = handler(provenanceGet, async (call, input) => {
  const root = { type: input.entity_type, id: input.entity_id }
  const project = await projectOfRoot(call, root)
  if (project !== null) await requireRecords(call, project)
  const found = await traceOf(call, root, project, input.direction, input.max_depth, await visibilityOf(call))
  return {
    root: { entity_type: input.entity_type, entity_id: input.entity_id },
    direction: input.direction,
    edges: found.edges.map(({ depth, src_type, src_id, dst_type, dst_id, relation, invocation_id }) => ({
      depth,
      src_type: src_type as EntityType,
      src_id,
      dst_type: dst_type as EntityType,
      dst_id,
      relation: relation as Relation,
      invocation_id,
    })),
    nodes: found.nodes.map((node) => ({ ...node, entity_type: node.entity_type as EntityType })),
    truncated: found.truncated,
  }
})
