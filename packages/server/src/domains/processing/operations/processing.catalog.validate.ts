import { processingCatalogValidateOperation } from '@swath/contract/operations/processing.catalog.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { getFieldErrors, Problem, type FieldError } from '../../../engine/problem.ts'
import { planJob } from '../plan-job.ts'
import type { ProcessDefinition } from '../process-definition.ts'
import { getProcessInputsSchema, requireProcess } from '../registry.ts'
import { findProcessInputErrors } from '../validate-inputs.ts'

export const handler = defineHandler(processingCatalogValidateOperation, async (call, { process_id, inputs }) => {
  const definition = requireProcess(process_id)
  const errors = await findErrors(call, definition, inputs)
  return { valid: errors.length === 0, errors, inputs_schema: getProcessInputsSchema(definition) }
})

/** Everything that would be refused before a job is created, except its payment. */
async function findErrors(call: Call, definition: ProcessDefinition, inputs: object): Promise<FieldError[]> {
  const errors = findProcessInputErrors(definition, inputs)
  if (errors.length > 0) return [...errors]
  try {
    await planJob(call, definition, inputs)
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) throw error
    return [...(getFieldErrors(error) ?? [{ path: '', message: error.message }])]
  }
}
