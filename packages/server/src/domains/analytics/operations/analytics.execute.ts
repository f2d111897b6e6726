import { analyticsExecuteOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeMethod } from '../execute-method.ts'

export const handler = defineHandler(analyticsExecuteOperation, async (call, { operation, params }) => ({
  operation,
  result: await executeMethod(call, operation, params),
}))
