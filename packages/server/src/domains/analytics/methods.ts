import type { AnalyticsMethodName } from '@swath/contract/analytics-methods.ts'
import type { RunMethod } from './method.ts'
import { detectChange } from './methods/change-detection.ts'
import { computeHistogram } from './methods/histogram.ts'
import { readLineProfile } from './methods/line-profile.ts'
import { readPointSeries } from './methods/point-series.ts'
import { measureTimeSeries } from './methods/time-series.ts'
import { computeZonalStats } from './methods/zonal-stats.ts'

/** The function of each method. */
export const methods: { readonly [Name in AnalyticsMethodName]: RunMethod<Name> } = {
  zonal_stats: computeZonalStats,
  time_series: measureTimeSeries,
  change_detection: detectChange,
  histogram: computeHistogram,
  line_profile: readLineProfile,
  point_series: readPointSeries,
}
