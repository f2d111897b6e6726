import { rasterReadLimits } from '../items/search/read-limits.ts'
import type { BacktestResult } from '@swath/contract/schemas/alert-rule.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import { getCallerRasterJobRunner } from '../tiles/raster-pool.ts'
import { evaluateAlertValue, initialTriggerState, type AlertTriggerState } from './condition.ts'
import { measureItemForAlert, type AlertMeasureContext } from './measure-item.ts'
import type { BacktestedItem } from './store.items.ts'
import type { AlertRuleRow } from './store.ts'

/** The members of a call that measuring needs. */
export const toAlertMeasureContext = (call: Call): AlertMeasureContext => ({
  db: call.db,
  organization: call.organization,
  blobs: call.blobs,
  integrations: call.integrations,
  processServices: call.processServices,
  clocks: call.clocks,
  signal: call.signal,
  jobs: getCallerRasterJobRunner(call),
})

/** No item is begun later than this after the start. */
const max_ms = rasterReadLimits.measurement.ms

interface MeasuredItem extends BacktestedItem {
  readonly value: number | null
  readonly reason: string | null
}

export interface AlertBacktest {
  /** The outcomes in the order of acquisition. */
  readonly results: BacktestResult[]
  /** True if not all of the items were measured in time. */
  readonly isCut: boolean
}

/** The outcomes of a rule if each item had arrived when it was acquired; the newest are measured first. */
export async function backtestAlertRule(
  call: Call,
  rule: AlertRuleRow,
  newestFirst: readonly BacktestedItem[],
): Promise<AlertBacktest> {
  const end_ms = monotonic_ms() + max_ms
  const measured: MeasuredItem[] = []
  for (const item of newestFirst) {
    if (monotonic_ms() > end_ms) break
    measured.push(await measurePastItem(call, rule, item))
  }
  return { results: decideInOrder(rule, measured.toReversed()), isCut: measured.length < newestFirst.length }
}

async function measurePastItem(call: Call, rule: AlertRuleRow, item: BacktestedItem): Promise<MeasuredItem> {
  try {
    return { ...item, value: await measureItemForAlert(toAlertMeasureContext(call), item.id, rule), reason: null }
  } catch (error) {
    if (!(error instanceof Problem) || error.problem === 'rate-limited' || error.problem === 'unavailable') throw error
    return { ...item, value: null, reason: error.message }
  }
}

function decideInOrder(rule: AlertRuleRow, items: readonly MeasuredItem[]): BacktestResult[] {
  let state: AlertTriggerState = initialTriggerState
  return items.map(({ id, acquired_at, value, reason }) => {
    const result = { item_id: id, datetime: acquired_at.toISOString(), computed_value: value, reason }
    if (value === null) return { ...result, outcome: 'not_measured' as const }
    const decision = evaluateAlertValue(rule, state, value, acquired_at)
    state = decision.state
    return { ...result, outcome: decision.outcome }
  })
}
