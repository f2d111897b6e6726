import { processingJobTypesListOperation } from '@swath/contract/operations/processing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { processRegistry, toJobType } from '../registry.ts'

export const handler = defineHandler(processingJobTypesListOperation, async (_call, { category }) => {
  const matching = processRegistry.filter((definition) => !category || definition.category === category)
  return toCompleteList('job_types', matching.map(toJobType))
})
