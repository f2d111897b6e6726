import { tasks } from '../src/domains/domains.ts'
import { reactions } from '../src/domains/reactions.ts'
import { kindOf, type TaskGround } from '../src/engine/background.ts'
import { openLog } from '../src/platform/log.ts'
import { readConfig } from '../src/platform/config.ts'
import { newId } from '../src/platform/ids.ts'
import type { Tx } from '../src/platform/database/database.ts'
import { announceTo, type Queue } from '../src/platform/queue/queue.ts'
import { quotasOf } from '../src/platform/quotas.ts'
import { seller } from './holdings.ts'

interface Work {
  readonly task: string
  readonly data: object
}

export interface Bench {
  /** The queue for calls of a test: enqueued tasks wait until `runPending`. */
  readonly queue: Queue
  /** The names of the pending tasks; of one organization if given. */
  waiting(organization?: string): string[]
  /** Runs all pending tasks in order, and those that they enqueue. Throws if a task fails. */
  run(): Promise<void>
  /** Runs one task now, as its schedule would. */
  once(task: string, data?: object): Promise<void>
}

const silence = openLog({ level: 'silent' })

/** Runs real background tasks on request of a test, without a queue. A task of a rolled-back transaction is not enqueued. */
export function openBench({ database, clock, blobs, outside }: Omit<TaskGround, 'seller' | 'quotas' | 'log'>): Bench {
  const work: Work[] = []
  const add = (tx: { afterCommit(later: () => void): void }, task: string, data: object): void => {
    if (!tasks.some(({ name }) => name === task)) throw new Error(`unknown task "${task}"`)
    tx.afterCommit(() => work.push({ task, data }))
  }
  const enqueue = async (tx: Tx, task: string, data: object): Promise<void> => add(tx, task, data)
  const queue: Queue = { enqueue, announce: announceTo(reactions, enqueue) }
  const ground = { database, clock, blobs, outside, seller, quotas: quotasOf(readConfig({})), log: silence }
  const once = async (name: string, data: object = {}): Promise<void> => {
    const kind = kindOf(
      ground,
      () => queue,
      tasks.find((task) => task.name === name)!,
    )
    await kind.run(data, new AbortController().signal, { id: newId(), number: 0, last: false })
  }
  return {
    queue,
    once,
    waiting: (organization) =>
      work
        .filter(({ data }) => organization === undefined || Reflect.get(data, 'organization_id') === organization)
        .map(({ task }) => task),
    run: async () => {
      for (let next = work.shift(); next; next = work.shift()) await once(next.task, next.data)
    },
  }
}
