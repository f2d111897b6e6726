import { processingCatalogEstimateOperation } from '@swath/contract/operations/processing.catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { findFirstWritableProject } from '../../projects/access.ts'
import { planJob } from '../plan-job.ts'
import { requireProcess } from '../registry.ts'
import { findReusableJob } from '../start-job.ts'
import { withProcessInputErrors } from '../validate-inputs.ts'

export const handler = defineHandler(processingCatalogEstimateOperation, async (call, { process_id, inputs }) => {
  const definition = requireProcess(process_id)
  const planned = await withProcessInputErrors(definition, 'inputs', inputs, () => planJob(call, definition, inputs))
  const project = await findFirstWritableProject(call)
  const shared = project && (await findReusableJob(call, { project_id: project.id }, planned))
  const { credits, size, unit } = planned.price
  return {
    process_id: definition.id,
    credits,
    aud: creditsToAud(credits),
    size,
    unit,
    memory_bytes: Math.ceil(planned.memory_bytes),
    reused_job_id: shared?.id ?? null,
  }
})
