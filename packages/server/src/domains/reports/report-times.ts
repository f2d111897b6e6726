import { day_ms } from '@swath/geo/time-units.ts'
import type { ReportInterval } from './report-request.ts'

export type ReportFrequency = 'daily' | 'weekly' | 'monthly'

/** Reports are sent at 6:00 UTC: what happened until midnight has been counted by then. */
const sent_after_midnight_ms = 6 * 3_600_000

/** The last beginning of a day, a week (Monday) or a month that is not later than a time, in UTC. */
function startOfPeriod(time: Date, frequency: ReportFrequency): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()]
  if (frequency === 'monthly') return new Date(Date.UTC(year, month, 1))
  const days_since_monday = frequency === 'weekly' ? (time.getUTCDay() + 6) % 7 : 0
  return new Date(Date.UTC(year, month, day - days_since_monday))
}

function shiftPeriod(start: Date, frequency: ReportFrequency, count: number): Date {
  if (frequency === 'monthly') return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count, 1))
  return new Date(start.getTime() + count * (frequency === 'weekly' ? 7 : 1) * day_ms)
}

/** The time when the first report after a time is due. */
export function computeNextReportRun(time: Date, frequency: ReportFrequency): Date {
  const start = startOfPeriod(time, frequency)
  const due = new Date(start.getTime() + sent_after_midnight_ms)
  return due > time ? due : new Date(shiftPeriod(start, frequency, 1).getTime() + sent_after_midnight_ms)
}

/** The last complete period before a run. */
export function computeReportInterval(due: Date, frequency: ReportFrequency): ReportInterval {
  const to = startOfPeriod(due, frequency)
  return { from: shiftPeriod(to, frequency, -1), to }
}
