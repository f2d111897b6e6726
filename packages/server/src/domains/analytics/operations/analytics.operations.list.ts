import { analyticsOperationsListOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { findAnalyticsMethod, analyticsMethodNames } from '../registry.ts'

export const handler = defineHandler(analyticsOperationsListOperation, async (_call, { data_type }) => {
  const methods = analyticsMethodNames.map((name) => findAnalyticsMethod(name)!)
  return toCompleteList(
    'operations',
    data_type ? methods.filter(({ data_types }) => data_types.includes(data_type.toLowerCase())) : methods,
  )
})
