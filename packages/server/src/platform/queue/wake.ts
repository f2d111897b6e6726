import type { Driver, Runner } from '../database/driver.ts'
import type { QueueLog } from './queue.ts'

/** Tells workers, here and in other processes, that there is work. Only ever a hint: polling finds it too. */
export interface WakeUps {
  tell(task: string): void
  /** Hears the others, where there can be any. */
  listen(): Promise<void>
  close(): Promise<void>
}

const channel = 'swath_queue'
/** What is told within this time is told together. */
const gather_ms = 5

/**
 * Wakes the local worker at once. Other processes are told by NOTIFY in a statement of its own after the commit: inside the
 * transaction it would make all commits of the database wait for each other.
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
      .catch((error: unknown) => log?.warn({ error }, 'other processes could not be told of new work'))
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
        log?.warn({ error }, 'other processes cannot be heard; new work is found by polling')
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
