import { provenanceGetOperation } from '@swath/contract/operations/provenance.ts'
import type { ProvenanceEntityType, ProvenanceRelation } from '@swath/contract/schemas/provenance.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProjectRecords } from '../../projects/record-access.ts'
import { toVisibleRecordFilter } from '../../projects/visibility.ts'
import { findProvenanceRootProject, getProvenanceTrace } from '../get-trace.ts'

export const handler = defineHandler(provenanceGetOperation, async (call, input) => {
  const root = { type: input.entity_type, id: input.entity_id }
  const project = await findProvenanceRootProject(call, root)
  if (project !== null) await requireProjectRecords(call, project)
  const trace = await getProvenanceTrace(call, {
    root,
    project,
    direction: input.direction,
    max_depth: input.max_depth,
    visible: await toVisibleRecordFilter(call),
  })
  return {
    root: { entity_type: input.entity_type, entity_id: input.entity_id },
    direction: input.direction,
    edges: trace.edges.map(({ depth, src_type, src_id, dst_type, dst_id, relation, invocation_id }) => ({
      depth,
      src_type: src_type as ProvenanceEntityType,
      src_id,
      dst_type: dst_type as ProvenanceEntityType,
      dst_id,
      relation: relation as ProvenanceRelation,
      invocation_id,
    })),
    nodes: trace.nodes.map((node) => ({ ...node, entity_type: node.entity_type as ProvenanceEntityType })),
    truncated: trace.truncated,
  }
})
