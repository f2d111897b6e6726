import type { Usage, UsageOfCaller, UsageOfDay, UsageOfOperation } from '@swath/contract/schemas/usage.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { listEgressByDay } from './egress.ts'
import { readStoredFileBytes, readUsedBytes } from './stored-bytes.ts'
import { listCallCounts, type CallCountRow } from './store.calls.ts'
import { countEventsOfKind, sumRevenue } from './store.activity.ts'

/** A month, `YYYY-MM`, in UTC. */
export interface UsageMonth {
  readonly period: string
  readonly from: Date
  readonly to: Date
}

/** The month that a time is in, or one of the months before it. */
export function monthOf(time: Date, months_before = 0): UsageMonth {
  const from = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - months_before, 1))
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
  return { period: from.toISOString().slice(0, 7), from, to }
}

/** Operations whose answer is a map tile. */
const isTile = (operation: string): boolean =>
  /\.tile\.(render|terrain|vector|wmts_get_tile)$/.test(operation) || operation === 'stac.collections.tile'

export interface MonthUsage {
  readonly usage: Usage
  readonly days: UsageOfDay[]
  readonly operations: UsageOfOperation[]
  readonly callers: UsageOfCaller[]
}

export interface UsageRequest {
  readonly organization: string
  readonly month: UsageMonth
  readonly storage_quota_bytes: number | null
  readonly measured_at: Date
}

const dayBefore = (time: Date): string => new Date(time.getTime() - 1).toISOString().slice(0, 10)

/**
 * The usage of a month: calls as far as they were written (`call-meter.ts`), egress and downloads by the egress journal, jobs and
 * orders by their events, credits by the journal. Stored bytes are those of now.
 */
export async function readMonthUsage(db: Queryable, request: UsageRequest): Promise<MonthUsage> {
  const { organization, month, storage_quota_bytes, measured_at } = request
  const [first, last] = [month.from.toISOString().slice(0, 10), dayBefore(month.to)]
  const counts = await listCallCounts(db, organization, first, last)
  const egress = await listEgressByDay(db, organization, first, last)
  const countKind = (kind: string) => countEventsOfKind(db, organization, { kind, ...month })
  const total = sumCounts(counts)
  const storage_bytes = await readStoredFileBytes(db, organization)
  const usage: Usage = {
    organization_id: organization,
    period: month.period,
    storage_bytes,
    storage_quota_bytes,
    reserved_bytes: (await readUsedBytes(db, organization)) - storage_bytes,
    egress_bytes: egress.reduce((sum, { bytes }) => sum + bytes, 0),
    download_count: egress.reduce((sum, { transfers }) => sum + transfers, 0),
    tile_count: total.tile_count,
    job_count: await countKind('job.created'),
    order_count: await countKind('order.created'),
    credits_spent: await sumRevenue(db, organization, month),
    call_count: total.call_count,
    failed_call_count: total.failed_call_count,
    compute_ms: total.compute_ms,
    measured_at: measured_at.toISOString(),
  }
  return { usage, ...breakDown(counts, egress) }
}

interface Sums {
  call_count: number
  failed_call_count: number
  tile_count: number
  compute_ms: number
}

const sumCounts = (rows: readonly CallCountRow[]): Sums =>
  rows.reduce(
    (sums, { calls, failed, duration_ms, operation }) => ({
      call_count: sums.call_count + calls,
      failed_call_count: sums.failed_call_count + failed,
      tile_count: sums.tile_count + (isTile(operation) ? calls : 0),
      compute_ms: sums.compute_ms + duration_ms,
    }),
    { call_count: 0, failed_call_count: 0, tile_count: 0, compute_ms: 0 },
  )

function breakDown(
  counts: readonly CallCountRow[],
  egress: readonly { day: string; bytes: number }[],
): Omit<MonthUsage, 'usage'> {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const egressByDay = new Map(egress.map(({ day, bytes }) => [day, bytes]))
  const days = [...new Set([...byDay.keys(), ...egressByDay.keys()])].sort()
  const byCaller = Map.groupBy(counts, ({ caller_kind, caller_id }) => `${caller_kind} ${caller_id}`)
  return {
    days: days.map((day) => ({
      day,
      ...sumCounts(byDay.get(day) ?? []),
      egress_bytes: egressByDay.get(day) ?? 0,
    })),
    operations: [...Map.groupBy(counts, ({ operation }) => operation)].map(([operation, rows]) => ({
      operation,
      ...sumCounts(rows),
    })),
    callers: [...byCaller.values()].map((rows) => {
      const { caller_kind: kind, caller_id: id } = rows[0]!
      return { kind, id, ...sumCounts(rows) }
    }),
  }
}
