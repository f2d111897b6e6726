import { analyticsOperationsGetOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { findAnalyticsMethod } from '../registry.ts'

export const handler = defineHandler(analyticsOperationsGetOperation, async (_call, { operation_name }) => {
  const operation = findAnalyticsMethod(operation_name)
  if (!operation) throw new Problem('not-found', `No analytics method has the name "${operation_name}".`)
  return { operation }
})
