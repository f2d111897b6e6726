import { processingCatalogListOperation } from '@swath/contract/operations/processing.catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { processRegistry, toProcess } from '../registry.ts'

export const handler = defineHandler(processingCatalogListOperation, async () =>
  toCompleteList('processes', processRegistry.map(toProcess)),
)
