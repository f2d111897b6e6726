import type { PgBoss } from 'pg-boss'
import { systemClock } from '../clock.ts'
import type { QueueLog, TaskSchedule } from './queue.ts'
import { platformTaskGroup } from './task-groups.ts'

/** pg-boss computes the slots itself; a small delay makes sure that the next one has begun. */
const slot_margin_ms = 50

/**
 * Adds the scheduled tasks, once per slot across all processes, and not while the previous one is waiting or running. The
 * current slot counts at startup. The returned function stops the schedules.
 */
export function startTaskSchedules(
  boss: PgBoss,
  schedules: readonly TaskSchedule[],
  wake: (task: string) => void,
  log: QueueLog | undefined,
): () => Promise<void> {
  const timers = new Map<TaskSchedule, NodeJS.Timeout>()
  const sending = new Set<Promise<void>>()
  let stopped = false

  const sendTask = async (schedule: TaskSchedule): Promise<void> => {
    try {
      const id = await boss.send(
        schedule.task.name,
        {},
        {
          singletonKey: `every ${schedule.every_s} s`,
          singletonSeconds: schedule.every_s,
          group: { id: platformTaskGroup },
        },
      )
      if (id !== null) wake(schedule.task.name)
    } catch (error) {
      log?.error({ error, task: schedule.task.name }, 'a scheduled task could not be added')
    }
  }

  const runSlot = (schedule: TaskSchedule): void => {
    const sendPromise = sendTask(schedule)
    sending.add(sendPromise)
    void sendPromise.then(() => {
      sending.delete(sendPromise)
      if (stopped) return
      const slot_ms = schedule.every_s * 1000
      const remaining_ms = slot_ms - (systemClock.now().getTime() % slot_ms)
      timers.set(
        schedule,
        setTimeout(() => runSlot(schedule), Math.min(remaining_ms + slot_margin_ms, max_timer_ms)),
      )
    })
  }
  schedules.forEach(runSlot)

  return async () => {
    stopped = true
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(sending)
  }
}

/** The maximum delay of a timer in Node. */
const max_timer_ms = 2 ** 31 - 1
