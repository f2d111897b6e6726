import type { PgBoss } from 'pg-boss'
import { systemClock } from '../clock.ts'
import type { QueueLog, ScheduleRow } from './queue.ts'

/** The queue counts slots itself; a little late is always in the right one. */
const late_ms = 50

/**
 * Adds the scheduled work of this process's table, once in every slot among all processes, and not while the one before still waits or
 * runs. The slot that is under way at the start counts. Returns the end of it.
 */
export function startSchedules(
  boss: PgBoss,
  rows: readonly ScheduleRow[],
  wake: (task: string) => void,
  log: QueueLog | undefined,
): () => Promise<void> {
  const timers = new Map<ScheduleRow, NodeJS.Timeout>()
  const sending = new Set<Promise<void>>()
  let stopped = false

  const send = async (row: ScheduleRow): Promise<void> => {
    try {
      const id = await boss.send(row.task, row.data ?? {}, {
        singletonKey: `every ${row.every_s} s`,
        singletonSeconds: row.every_s,
      })
      if (id !== null) wake(row.task)
    } catch (error) {
      log?.error({ error, task: row.task }, 'scheduled work could not be added')
    }
  }

  const tick = (row: ScheduleRow): void => {
    const sent = send(row)
    sending.add(sent)
    void sent.then(() => {
      sending.delete(sent)
      if (stopped) return
      const slot_ms = row.every_s * 1000
      const left_ms = slot_ms - (systemClock.now().getTime() % slot_ms)
      timers.set(
        row,
        setTimeout(() => tick(row), Math.min(left_ms + late_ms, longestTimer_ms)),
      )
    })
  }
  rows.forEach(tick)

  return async () => {
    stopped = true
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(sending)
  }
}

/** What a timer of the platform can hold. */
const longestTimer_ms = 2 ** 31 - 1
