import type { Module } from '../../engine/task.ts'
import { computeBandMath } from './operations/analytics.band_math.ts'
import { calculateIndex } from './operations/analytics.calculate_index.ts'
import { executeAnalytics } from './operations/analytics.execute.ts'
import { getSpectralIndex } from './operations/analytics.index.get.ts'
import { listSpectralIndices } from './operations/analytics.indices.list.ts'
import { getAnalyticsMethod } from './operations/analytics.operations.get.ts'
import { listAnalyticsMethods } from './operations/analytics.operations.list.ts'
import { listSensors } from './operations/analytics.sensors.list.ts'
import { validateFormula } from './operations/analytics.validate_formula.ts'
import { dueAnalyticsResults, sweepAnalyticsResults } from './sweep-results.task.ts'

export const analytics: Module = {
  name: 'analytics',
  handlers: [
    executeAnalytics,
    computeBandMath,
    calculateIndex,
    listAnalyticsMethods,
    getAnalyticsMethod,
    listSpectralIndices,
    getSpectralIndex,
    listSensors,
    validateFormula,
  ],
  tasks: [sweepAnalyticsResults],
  dueWork: [dueAnalyticsResults],
}
