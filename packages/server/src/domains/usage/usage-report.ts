import type {
  MeanUsageOfOperation,
  Usage,
  UsageOfCaller,
  UsageOfDay,
  UsageOfOperation,
} from '@swath/contract/schemas/reporting/usage.ts'
import type { OffsetPaging } from '../../engine/page.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { RowPage } from '../../platform/database/select-page.ts'
import { listEgressByDay } from './store.egress.ts'
import { findStorageTotals, sumReservedBytes } from './store.ts'
import {
  listCallsByOperation,
  sumCallsByCaller,
  sumCallsByDay,
  sumCallsByMonth,
  sumCallsByOperation,
  type CallSums,
  type DayRange,
} from './store.calls.ts'
import { countEventsByMonth, sumRevenueByMonth } from './store.activity.ts'
import type { UsageScope } from './usage-scope.ts'

/** A month, `YYYY-MM`, in UTC. */
export interface UsageMonth {
  readonly period: string
  readonly from: Date
  readonly to: Date
}

/** The month that a time is in, or one of the months before it. */
export function findUsageMonth(time: Date, months_before = 0): UsageMonth {
  const from = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - months_before, 1))
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
  return { period: from.toISOString().slice(0, 7), from, to }
}

/** The month that a time is in and the ones before it, newest first. */
export const listLastMonths = (time: Date, count: number): UsageMonth[] =>
  Array.from({ length: count }, (_, months_before) => findUsageMonth(time, months_before))

export interface MonthlyUsageRequest {
  readonly organization: string
  /** Consecutive months, newest first. */
  readonly months: readonly UsageMonth[]
  readonly storage_quota_bytes: number | null
  readonly measured_at: Date
  readonly scope: UsageScope
}

const noCalls: CallSums = { call_count: 0, failed_call_count: 0, tile_count: 0, compute_ms: 0 }

const toDay = (time: Date): string => time.toISOString().slice(0, 10)

const toInterval = (months: readonly UsageMonth[]) => ({ from: months.at(-1)!.from, to: months[0]!.to })

const toDays = (months: readonly UsageMonth[]): DayRange => {
  const { from, to } = toInterval(months)
  return { first: toDay(from), last: toDay(new Date(to.getTime() - 1)) }
}

/**
 * The usage of each month: calls as far as they were written (`call-meter.ts`), egress and downloads by the egress journal, jobs
 * and orders by their events, credits by the journal, as far as the scope goes. Stored and reserved
 * bytes are those of now.
 */
export async function sumMonthlyUsage(db: SqlStatementRunner, request: MonthlyUsageRequest): Promise<Usage[]> {
  const { organization, months, storage_quota_bytes, measured_at, scope } = request
  const [interval, days] = [toInterval(months), toDays(months)]
  const calls = await sumCallsByMonth(db, organization, days)
  const egress = Map.groupBy(await listEgressByDay(db, organization, days.first, days.last), ({ day }) =>
    day.slice(0, 7),
  )
  const events = await countEventsByMonth(db, organization, ['job.created', 'order.created'], interval)
  const revenue = await sumRevenueByMonth(db, organization, interval, scope.projects)
  const { file_bytes, metadata_bytes } = await findStorageTotals(db, organization)
  const reserved_bytes = await sumReservedBytes(db, organization)
  return months.map(({ period }) => {
    const ofMonth = (row: { readonly period: string }): boolean => row.period === period
    const countKind = (kind: string): number => events.find((row) => ofMonth(row) && row.kind === kind)?.count ?? 0
    const sent = egress.get(period) ?? []
    const { period: _, ...sums } = calls.find(ofMonth) ?? { period, ...noCalls }
    return {
      organization_id: organization,
      period,
      storage_bytes: file_bytes,
      storage_quota_bytes,
      metadata_bytes,
      reserved_bytes,
      egress_bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0),
      download_count: sent.reduce((sum, { transfers }) => sum + transfers, 0),
      job_count: countKind('job.created'),
      order_count: countKind('order.created'),
      credits_spent: revenue.find(ofMonth)?.credits ?? 0,
      ...sums,
      measured_at: measured_at.toISOString(),
    }
  })
}

export interface UsageBreakdown {
  readonly days: UsageOfDay[]
  readonly operations: UsageOfOperation[]
  readonly callers: UsageOfCaller[]
}

/** The calls of a month by day, operation and caller, and its egress by day. Of the callers in the scope, the 100 with the most calls. */
export async function readUsageBreakdown(
  db: SqlStatementRunner,
  organization: string,
  month: UsageMonth,
  scope: UsageScope,
): Promise<UsageBreakdown> {
  const range = toDays([month])
  const calls = new Map((await sumCallsByDay(db, organization, range)).map((row) => [row.day, row]))
  const egress = await listEgressByDay(db, organization, range.first, range.last)
  const egressByDay = new Map(egress.map(({ day, bytes }) => [day, bytes]))
  const days = [...new Set([...calls.keys(), ...egressByDay.keys()])].sort()
  return {
    days: days.map((day) => ({ day, ...noCalls, ...calls.get(day), egress_bytes: egressByDay.get(day) ?? 0 })),
    operations: await sumCallsByOperation(db, organization, range),
    callers: await sumCallsByCaller(db, organization, range, scope.caller),
  }
}

/**
 * The calls of consecutive months, newest first, added up by operation, as far as they were written (`call-meter.ts`). They are those
 * of the whole organization.
 */
export async function readUsageByOperation(
  db: SqlStatementRunner,
  organization: string,
  months: readonly UsageMonth[],
  paging: OffsetPaging,
): Promise<RowPage<MeanUsageOfOperation>> {
  const { rows, total } = await listCallsByOperation(db, organization, toDays(months), paging)
  return { rows: rows.map((row) => ({ ...row, mean_duration_ms: row.compute_ms / row.call_count })), total }
}
