import type { Driver, Runner } from '../database/driver.ts'
import type { QueueLog } from './queue.ts'

/** Notifies workers in this and other processes of new tasks. Only a hint: polling finds them as well. */
export interface WakeUps {
  tell(task: string): void
  /** Listens to other processes, if there can be any. */
  listen(): Promise<void>
  close(): Promise<void>
}

const channel = 'swath_queue'
/** Notifications within this time are sent together. */
const gather_ms = 5

/**
 * Wakes the local worker immediately. Other processes are notified by NOTIFY in a separate statement after the commit:
 * inside the transaction it would serialize all commits of the database.
 */
export function openWakeUps(
  driver: Driver,
  runner: Runner,
  wake: (task: string) => void,
  log: QueueLog | undefined,
): WakeUps {
  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<unknown> = Promise.resolve()
  let deafen: (() => Promise<void>) | undefined
  let closed = false

  const tellOthers = (): void => {
    timer = undefined
    const tasks = [...gathered]
    gathered.clear()
    telling = runner
      .run('select pg_notify($1, task) from unnest($2::text[]) as task', [
        channel,
        `{${tasks.map((task) => `"${task}"`).join(',')}}`,
      ])
      .catch((error: unknown) => log?.warn({ error }, 'other processes could not be notified of new tasks'))
  }

  return {
    tell: (task) => {
      wake(task)
      if (!driver.listen || closed) return
      gathered.add(task)
      timer ??= setTimeout(tellOthers, gather_ms)
    },
    listen: async () => {
      try {
        deafen = await driver.listen?.(channel, wake, () => undefined)
      } catch (error) {
        log?.warn({ error }, 'cannot listen to other processes; new tasks are found by polling')
      }
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await telling
      await deafen?.()
    },
  }
}
