import type { AlertStatisticName } from '@swath/contract/schemas/alert-rule.ts'
import type { MeasuredBandStatistics } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { withMappedFieldErrors, validationProblem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { chooseRasterAsset } from '../items/access.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'
import { applyCurrentBandNames } from '../items/assets/current-bands.ts'
import { createRasterReadBudget } from '../items/search/read-limits.ts'
import { validateArea } from '../tiles/aoi.ts'
import { openAssetRaster } from '../tiles/asset-source.ts'
import { convertRasterFailures } from '../tiles/failures.ts'
import { measureRaster, min_measured_overview_pixels } from '../tiles/measure/measure.ts'
import { parseMeasureTarget } from '../tiles/measure/measure-target.ts'
import type { OrganizationRasterJobRunner } from '../tiles/raster-pool.ts'
import type { RemoteReadContext } from '../tiles/url/remote-raster.ts'
import { substituteExpressionBandNames } from './expression.ts'
import type { AlertRuleRow } from './store.ts'

interface StatisticDefinition {
  /** The percentile that has to be measured for it. */
  readonly percentile: number | null
  read(measured: MeasuredBandStatistics): number
}

const simple = (read: StatisticDefinition['read']): StatisticDefinition => ({ percentile: null, read })
const percentile = (value: number): StatisticDefinition => ({
  percentile: value,
  read: ({ percentiles }) => percentiles[0] ?? Number.NaN,
})

const statisticDefinitions: Readonly<Record<AlertStatisticName, StatisticDefinition>> = {
  mean: simple(({ mean }) => mean),
  median: percentile(50),
  min: simple(({ minimum }) => minimum),
  max: simple(({ maximum }) => maximum),
  std: simple(({ stddev }) => stddev),
  p5: percentile(5),
  p95: percentile(95),
  valid_percent: simple(({ valid_percent }) => valid_percent),
}

/** The dependencies of measuring, beside the item and the rule. */
export interface AlertMeasureContext extends RemoteReadContext, Pick<Call, 'blobs'> {
  readonly db: SqlStatementRunner
  readonly organization: string
  readonly jobs: OrganizationRasterJobRunner
}

export type MeasuredAlertRule = Pick<AlertRuleRow, 'expression' | 'band_mapping' | 'statistic' | 'aoi' | 'asset_key'>

/**
 * The value of a rule for an item: a statistic of its expression over the item or the area, exact or from an overview within the
 * limits of `measureRaster`. Checks no permissions. Throws `not-found` without the asset, `unsupported-raster`,
 * `budget-exceeded`, `upstream`, and `validation` of `item_id` for an item without the bands, outside of the area, or without a
 * valid value.
 */
export async function measureItemForAlert(
  context: AlertMeasureContext,
  item_id: string,
  rule: MeasuredAlertRule,
): Promise<number> {
  const definition = statisticDefinitions[rule.statistic]
  const measured = await blameItem(() => measureStatistics(context, item_id, rule, definition.percentile))
  const value = definition.read(measured)
  if (Number.isFinite(value)) return value
  throw validationProblem([{ path: 'item_id', message: 'has no pixel for which the expression has a value' }])
}

async function measureStatistics(
  context: AlertMeasureContext,
  item_id: string,
  rule: MeasuredAlertRule,
  percentile: number | null,
): Promise<MeasuredBandStatistics> {
  const { db, organization, jobs, signal } = context
  const asset = chooseRasterAsset(await findAssetsOfItem(db, organization, item_id), rule.asset_key)
  const assetBands = applyCurrentBandNames(asset)
  const expression = substituteExpressionBandNames(rule, assetBands)
  const target = parseMeasureTarget({ expression }, assetBands)
  const { bands } = await measureRaster({
    raster: await convertRasterFailures(() => openAssetRaster(context, asset, createRasterReadBudget('measurement'))),
    target,
    area: rule.aoi && validateArea(rule.aoi, 'aoi'),
    percentiles: percentile === null ? [] : [percentile],
    histogram: { bins: 1 },
    ...(rule.aoi ? {} : { approximate_pixels: min_measured_overview_pixels }),
    jobs,
    signal,
  })
  return bands[0]!
}

/** Expression and area are stored with the rule: what does not fit the item is an error of the item. */
const blameItem = <T>(work: () => Promise<T>): Promise<T> =>
  withMappedFieldErrors(work, ({ message }) => ({ path: 'item_id', message: `does not fit the rule: ${message}` }))
