import { processingJobTypesListOperation } from '@swath/contract/operations/processing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { processes, toJobType } from '../registry.ts'

export const handler = defineHandler(processingJobTypesListOperation, async (_call, { category }) => {
  const matching = processes.filter((definition) => !category || definition.category === category)
  return toCompleteList('job_types', matching.map(toJobType))
})
