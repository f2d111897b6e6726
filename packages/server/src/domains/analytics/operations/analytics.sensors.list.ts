import { analyticsSensorsListOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { completePageOf } from '../../../engine/page.ts'
import { analyticsSensors } from '../registry.ts'

export const handler = defineHandler(analyticsSensorsListOperation, async () =>
  completePageOf('sensors', analyticsSensors),
)
