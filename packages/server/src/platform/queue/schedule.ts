import type { PgBoss } from 'pg-boss'
import { systemClock } from '../clock.ts'
import type { QueueLog, ScheduleRow } from './queue.ts'

/** pg-boss computes the slots itself; a small delay makes sure that the next one has begun. */
const late_ms = 50

/**
 * Adds the scheduled tasks, once per slot across all processes, and not while the previous one is waiting or running. The
 * current slot counts at startup. The returned function stops the schedules.
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
      log?.error({ error, task: row.task }, 'a scheduled task could not be added')
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

/** The maximum delay of a timer in Node. */
const longestTimer_ms = 2 ** 31 - 1
