import type { DatabaseDriver, StatementRunner } from '../database/driver.ts'
import type { QueueLog } from './queue.ts'

/** Notifies workers in this and other processes of new tasks. Only a hint: polling finds them as well. */
export interface TaskNotifier {
  notify(task: string): void
  /** Listens to other processes, if there can be any. */
  listen(): Promise<void>
  close(): Promise<void>
}

const channel = 'swath_queue'
/** Notifications within this time are sent together. */
const batch_window_ms = 5

/**
 * Wakes the local worker immediately. Other processes are notified by NOTIFY in a separate statement after the commit:
 * inside the transaction it would serialize all commits of the database.
 */
export function createTaskNotifier(
  driver: DatabaseDriver,
  runner: StatementRunner,
  wakeWorker: (task: string) => void,
  log: QueueLog | undefined,
): TaskNotifier {
  const pendingTasks = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let lastNotification: Promise<unknown> = Promise.resolve()
  let stopListening: (() => Promise<void>) | undefined
  let isClosed = false

  const notifyOtherProcesses = (): void => {
    timer = undefined
    const tasks = [...pendingTasks]
    pendingTasks.clear()
    lastNotification = runner
      .run('select pg_notify($1, task) from unnest($2::text[]) as task', [
        channel,
        `{${tasks.map((task) => `"${task}"`).join(',')}}`,
      ])
      .catch((error: unknown) => log?.warn({ error }, 'other processes could not be notified of new tasks'))
  }

  return {
    notify: (task) => {
      wakeWorker(task)
      if (!driver.listen || isClosed) return
      pendingTasks.add(task)
      timer ??= setTimeout(notifyOtherProcesses, batch_window_ms)
    },
    listen: async () => {
      try {
        stopListening = await driver.listen?.(channel, wakeWorker, () => undefined)
      } catch (error) {
        log?.warn({ error }, 'cannot listen to other processes; new tasks are found by polling')
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await lastNotification
      await stopListening?.()
    },
  }
}
