import { analyticsExecuteOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeAnalyticsMethod } from '../execute-method.ts'

export const handler = defineHandler(analyticsExecuteOperation, async (call, { operation, params }) => ({
  operation,
  result: await executeAnalyticsMethod(call, operation, params),
}))
