import { provenanceExportOperation } from '@swath/contract/operations/provenance.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findFirstEvents } from '../../events/entity-events.ts'
import { requireProjectRecords } from '../../projects/record-access.ts'
import { toVisibleRecordFilter } from '../../projects/visibility.ts'
import { toProvEntityKey, toProvDocument } from '../prov-json.ts'
import { findProvenanceRootProject, getProvenanceTrace } from '../get-trace.ts'
import { findJobReceipts } from '../store.receipts.ts'

export const handler = defineHandler(provenanceExportOperation, async (call, input) => {
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
  const nodes = trace.nodes.map((node) => ({ type: node.entity_type, id: node.entity_id }))
  const mentions = await findFirstEvents(call.db, call.organization, nodes)
  const creators = new Map(
    mentions.map((mention) => [toProvEntityKey(mention.entity_type, mention.entity_id), mention]),
  )
  const { baseUrl: base, organization } = call
  const jobs = nodes.flatMap(({ type, id }) => (type === 'processing_job' ? [id] : []))
  const receipts = await findJobReceipts(call.db, organization, jobs)
  return { ...toProvDocument({ base, organization, trace, creators, receipts }) }
})
