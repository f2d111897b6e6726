import { analyticsIndicesListOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireAnalyticsSensor, spectralIndices } from '../registry.ts'

export const handler = defineHandler(analyticsIndicesListOperation, async (_call, { category, sensor }) => {
  const id = sensor ? requireAnalyticsSensor(sensor).id : null
  const indices = spectralIndices.filter(
    (index) => (!category || index.category === category.toLowerCase()) && (id === null || index.sensors.includes(id)),
  )
  return toCompleteList('indices', indices)
})
