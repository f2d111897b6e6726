import { provenanceExport } from '@swath/contract/operations/provenance.ts'
import { handler } from '../../engine/handler.ts'
import { firstMentions } from '../events/mentions.ts'
import { requireRecords } from '../projects/record-access.ts'
import { visibilityOf } from '../projects/visibility.ts'
import { keyOf, provDocument } from './prov-json.ts'
import { projectOfRoot, traceOf } from './trace-of.ts'

export const exportProvenance = handler(provenanceExport, async (call, input) => {
  const root = { type: input.entity_type, id: input.entity_id }
  const project = await projectOfRoot(call, root)
  if (project !== null) await requireRecords(call, project)
  const trace = await traceOf(call, root, project, input.direction, input.max_depth, await visibilityOf(call))
  const nodes = trace.nodes.map((node) => ({ type: node.entity_type, id: node.entity_id }))
  const mentions = await firstMentions(call.db, call.organization, nodes)
  const makers = new Map(mentions.map((mention) => [keyOf(mention.entity_type, mention.entity_id), mention]))
  const { baseUrl: base, organization } = call
  return { ...provDocument({ base, organization, trace, makers }) }
})
