import { day_ms } from '@swath/geo/time-units.ts'
import type { Principal } from '../../engine/call.ts'
import type { CountCall } from '../../engine/pipeline/state.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { DatabaseFailure } from '../../platform/database/failures.ts'
import type { Logger } from '../../platform/log.ts'
import { runPeriodically } from '../../platform/run-periodically.ts'
import { toUtcDay } from './egress.ts'
import { upsertCallCounts, type CallCountRow, type CountedCaller } from './store.calls.ts'

/**
 * Interval at which a process writes its counts; it also writes when it stops. A killed process loses the calls that it
 * counted since the last write began: those of one interval, and of the duration of the last two writes.
 */
export const call_count_flush_interval_ms = 10_000

/** Counts calls in memory by day, operation and caller, and writes the sums from time to time. */
export interface CallMeter {
  readonly count: CountCall
  /** The number of counted calls that are not in the database yet, including those that are being written. */
  readUnwritten(): number
  /** Writes the counts; those that are certainly not written remain for the next flush. */
  flush(): Promise<void>
  /** Ends the periodic writing, and writes the rest. */
  close(): Promise<void>
}

interface CallMeterDependencies {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly log: Logger
}

type Counts = Map<string, Map<string, CallCountRow>>

const addTo = (counts: Counts, organization: string, row: CallCountRow): void => {
  const rows = counts.get(organization) ?? new Map<string, CallCountRow>()
  counts.set(organization, rows)
  const key = `${row.day} ${row.operation} ${row.caller_kind} ${row.caller_id}`
  const known = rows.get(key)
  if (!known) {
    rows.set(key, row)
    return
  }
  known.calls += row.calls
  known.failed += row.failed
  known.duration_ms += row.duration_ms
}

/**
 * Creates a function that returns the UTC day of a time. Formatting one costs more than all the rest of counting a
 * call, and most calls are of the day of the call before.
 */
function createDayFormatter(): (time: Date) => string {
  let last = { day: Number.NaN, text: '' }
  return (time) => {
    const day = Math.floor(time.getTime() / day_ms)
    if (day !== last.day) last = { day, text: toUtcDay(time) }
    return last.text
  }
}

export function createCallMeter({ database, clock, log }: CallMeterDependencies): CallMeter {
  const dayOf = createDayFormatter()
  let counts: Counts = new Map()
  let unwritten = 0
  let writing: Promise<void> = Promise.resolve()
  const forget = (rows: Iterable<CallCountRow>): void => {
    for (const { calls } of rows) unwritten -= calls
  }
  const writeAll = async (): Promise<void> => {
    const written = counts
    counts = new Map()
    for (const [organization, rows] of written) {
      try {
        const now = clock.forOrganization(organization).now()
        const db = database.forOrganization(organization)
        await db.transaction((tx) => upsertCallCounts(tx, organization, [...rows.values()], now))
        forget(rows.values())
      } catch (error) {
        // They may have been written: a lost count is better than a double one.
        if (error instanceof DatabaseFailure && error.failure === 'outcome-unknown') {
          log.warn({ err: error, organization }, 'whether counted calls were written is unknown; they are not kept')
          forget(rows.values())
          continue
        }
        log.warn({ err: error, organization }, 'counted calls could not be written; they are kept for the next time')
        for (const row of rows.values()) addTo(counts, organization, row)
      }
    }
  }
  // One after the other: a row that two writes add to at once would only wait for itself.
  const flush = (): Promise<void> => (writing = writing.then(writeAll))
  const onError = (error: unknown): void => log.error({ err: error }, 'calls are not counted')
  const stop = runPeriodically(call_count_flush_interval_ms, flush, onError, 'follow')
  return {
    count: ({ principal, operation, failed, duration_ms }) => {
      const { organization } = principal
      if (organization === null) return
      unwritten += 1
      const day = dayOf(clock.forOrganization(organization).now())
      addTo(counts, organization, {
        day,
        operation,
        ...toCountedCaller(principal),
        calls: 1,
        failed: failed ? 1 : 0,
        duration_ms,
      })
    },
    readUnwritten: () => unwritten,
    flush,
    close: async () => {
      await stop()
      await flush()
    },
  }
}

/** The caller as whose calls those of a principal are counted. A service has no id of its own in an organization. */
export const toCountedCaller = ({ kind, id }: Principal): CountedCaller => ({
  caller_kind: kind,
  caller_id: kind === 'service' ? 'service' : id,
})
