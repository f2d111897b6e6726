import { readLimits } from '../items/search/read-limits.ts'
import type { BacktestResult } from '@swath/contract/schemas/alert-rule.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import { rasterJobsOf } from '../tiles/raster-pool.ts'
import { decide, initialState, type TriggerState } from './condition.ts'
import { measureItem, type MeasureContext } from './measure-item.ts'
import type { PastItem } from './store.items.ts'
import type { AlertRuleRow } from './store.ts'

/** The members of a call that measuring needs. */
export const measureContextOf = (call: Call): MeasureContext => ({
  db: call.db,
  organization: call.organization,
  blobs: call.blobs,
  integrations: call.integrations,
  processServices: call.processServices,
  clocks: call.clocks,
  signal: call.signal,
  jobs: rasterJobsOf(call),
})

/** No item is begun later than this after the start. */
const max_ms = readLimits.measurement.ms

interface MeasuredItem extends PastItem {
  readonly value: number | null
  readonly reason: string | null
}

export interface Backtest {
  /** The outcomes in the order of acquisition. */
  readonly results: BacktestResult[]
  /** True if not all of the items were measured in time. */
  readonly isCut: boolean
}

/** The outcomes of a rule if each item had arrived when it was acquired; the newest are measured first. */
export async function backtest(call: Call, rule: AlertRuleRow, newestFirst: readonly PastItem[]): Promise<Backtest> {
  const end_ms = monotonic_ms() + max_ms
  const measured: MeasuredItem[] = []
  for (const item of newestFirst) {
    if (monotonic_ms() > end_ms) break
    measured.push(await measurePastItem(call, rule, item))
  }
  return { results: decideInOrder(rule, measured.toReversed()), isCut: measured.length < newestFirst.length }
}

async function measurePastItem(call: Call, rule: AlertRuleRow, item: PastItem): Promise<MeasuredItem> {
  try {
    return { ...item, value: await measureItem(measureContextOf(call), item.id, rule), reason: null }
  } catch (error) {
    if (!(error instanceof Problem) || error.problem === 'rate-limited' || error.problem === 'unavailable') throw error
    return { ...item, value: null, reason: error.message }
  }
}

function decideInOrder(rule: AlertRuleRow, items: readonly MeasuredItem[]): BacktestResult[] {
  let state: TriggerState = initialState
  return items.map(({ id, acquired_at, value, reason }) => {
    const result = { item_id: id, datetime: acquired_at.toISOString(), computed_value: value, reason }
    if (value === null) return { ...result, outcome: 'not_measured' as const }
    const decision = decide(rule, state, value, acquired_at)
    state = decision.state
    return { ...result, outcome: decision.outcome }
  })
}
