import { analyticsSensorsListOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { analyticsSensors } from '../registry.ts'

export const handler = defineHandler(analyticsSensorsListOperation, async () =>
  toCompleteList('sensors', analyticsSensors),
)
