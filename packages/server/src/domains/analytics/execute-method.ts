import {
  type AnalyticsMethodName,
  type AnalyticsMethodParams,
  analyticsMethods,
} from '@swath/contract/analytics-methods.ts'
import type { Call } from '../../engine/call.ts'
import { readCallInput, requireValidOutput } from '../../engine/input/read-input.ts'
import { withMappedFieldErrors, validationProblem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { emitEvent } from '../events/emit.ts'
import { recordProvenance } from '../provenance/record-provenance.ts'
import type { RunAnalyticsMethod } from './method.ts'
import { findAnalyticsMethod, isAnalyticsMethodName, analyticsMethodNames } from './registry.ts'
import { computeChangeDetection } from './methods/change-detection.ts'
import { computeHistogram } from './methods/histogram.ts'
import { readLineProfile } from './methods/line-profile.ts'
import { readPointSeries } from './methods/point-series.ts'
import { measureTimeSeries } from './methods/time-series.ts'
import { computeZonalStats } from './methods/zonal-stats.ts'

/** The function of each method. */
const methods: { readonly [Name in AnalyticsMethodName]: RunAnalyticsMethod<Name> } = {
  zonal_stats: computeZonalStats,
  time_series: measureTimeSeries,
  change_detection: computeChangeDetection,
  histogram: computeHistogram,
  line_profile: readLineProfile,
  point_series: readPointSeries,
}

/**
 * Runs a method on parameters that its own schema validates, and emits `analytics.executed`. Throws `validation` with the
 * expected schema for parameters that do not match it or do not fit the item, and what the method throws.
 */
export async function executeAnalyticsMethod(
  call: Call,
  name: string,
  params: unknown,
): Promise<Record<string, unknown>> {
  if (!isAnalyticsMethodName(name)) {
    const message = `there is no method "${name.slice(0, 40)}"; there are ${analyticsMethodNames.join(', ')}`
    throw validationProblem([{ path: 'operation', message }])
  }
  const { params: input, result: output } = analyticsMethods[name]
  const schemas = { id: `analytics.execute ${name}`, input, output }
  const run = methods[name] as RunAnalyticsMethod<AnalyticsMethodName>
  const { result, item_ids, raster_id } = await withExpectedSchema(name, async () =>
    run(call, readCallInput(schemas, params) as AnalyticsMethodParams<AnalyticsMethodName>),
  )
  requireValidOutput(schemas, result)
  await recordAnalyticsExecution(call, { method: name, item_ids, raster_id })
  return result
}

/** Errors of parameters name them below `params`, and carry the schema of the method. */
const withExpectedSchema = <T>(name: AnalyticsMethodName, work: () => Promise<T>): Promise<T> =>
  withMappedFieldErrors(
    work,
    ({ path, message }) => ({ path: path ? `params.${path}` : 'params', message }),
    () => ({ expected_schema: findAnalyticsMethod(name)!.params_schema }),
  )

export interface AnalyticsExecution {
  readonly method: string
  readonly item_ids: readonly string[]
  /** The raster that was written, which is derived from the items. */
  readonly raster_id: string | null
}

/** Emits `analytics.executed`, and records the lineage of a raster, in one transaction. */
export async function recordAnalyticsExecution(
  call: Call,
  { method, item_ids, raster_id }: AnalyticsExecution,
): Promise<void> {
  const entity_id = raster_id ?? newId()
  const data = { method, item_ids: [...item_ids] }
  await call.transaction(async (tx) => {
    if (raster_id !== null) {
      const src = { type: 'analytics_result', id: raster_id }
      const edges = item_ids.map((id) => ({ relation: 'derived_from' as const, src, dst: { type: 'item', id } }))
      await recordProvenance(tx, call, edges)
    }
    await emitEvent(tx, call, { kind: 'analytics.executed', entity_type: 'analytics_result', entity_id, data })
  })
}
