import type { Blobs } from '../platform/blobs/blobs.ts'
import type { OrganizationClocks } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import type { Outside } from '../platform/outside/outside.ts'
import type { Queue, RetryPolicy, TaskAttempt, TaskKind } from '../platform/queue/queue.ts'
import type { Quotas } from '../platform/quotas.ts'
import type { Seller } from '../platform/seller.ts'
import type { Task } from './task.ts'

/** What all task runs of an application share. */
export interface TaskGround {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly outside: Outside
  readonly blobs: Blobs
  readonly seller: Seller
  readonly quotas: Quotas
  readonly log: Logger
}

/** The platform itself as a principal, as recorded in events and the ledger. */
export const service = {
  kind: 'service',
  id: 'swath',
  user: null,
  organization: null,
  role: null,
  scopes: ['*'],
  administrator: false,
} as const

/**
 * Converts a task to the definition that the queue runs. `queue` is a function because the queue is opened with these
 * definitions and so does not exist yet. `retry` may override the declared retry policy; tests use it.
 */
export function kindOf(
  ground: TaskGround,
  queue: () => Queue,
  task: Task,
  retry: (declared: RetryPolicy) => RetryPolicy = (declared) => declared,
): TaskKind {
  const { database, clock, outside, blobs, seller, quotas } = ground
  return {
    name: task.name,
    retry: retry(task.retry),
    run: (data: unknown, signal: AbortSignal, { id, number, last }: TaskAttempt) => {
      const log = ground.log.child({ task: task.name, id })
      const shared = {
        principal: service,
        database,
        clock,
        outside,
        blobs,
        queue: queue(),
        seller,
        quotas,
        log,
        signal,
      }
      return task.run({ ...shared, id, task: task.name, attempt: number, last }, data)
    },
  }
}
