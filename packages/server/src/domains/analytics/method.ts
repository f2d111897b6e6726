import type {
  AnalyticsMethodName,
  AnalyticsMethodParams,
  AnalyticsMethodResult,
} from '@swath/contract/analytics-methods.ts'
import type { Call } from '../../engine/call.ts'

/** The result of a method, and the items that it read. */
export interface AnalyticsMethodOutcome<Name extends AnalyticsMethodName = AnalyticsMethodName> {
  readonly result: AnalyticsMethodResult<Name>
  readonly item_ids: readonly string[]
  /** The id of the raster that the method wrote; null if it wrote none. */
  readonly raster_id: string | null
}

/** Runs a method of `analytics.execute` on valid parameters. Throws `validation` of the parameter that does not fit. */
export type RunAnalyticsMethod<Name extends AnalyticsMethodName> = (
  call: Call,
  params: AnalyticsMethodParams<Name>,
) => Promise<AnalyticsMethodOutcome<Name>>

/** The outcome of a method that wrote no raster. */
export const createOutcomeWithoutRaster = <Name extends AnalyticsMethodName>(
  result: AnalyticsMethodResult<Name>,
  item_ids: readonly string[],
): AnalyticsMethodOutcome<Name> => ({ result, item_ids, raster_id: null })
