import { processingCatalogGetOperation } from '@swath/contract/operations/processing.catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProcess, toProcess } from '../registry.ts'

export const handler = defineHandler(processingCatalogGetOperation, async (_call, { process_id }) => ({
  process: toProcess(requireProcess(process_id)),
}))
