import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Blobs } from '../platform/blobs/blobs.ts'
import type { OrganizationClocks } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import type { Outside } from '../platform/outside/outside.ts'
import type { Queue, RetryPolicy } from '../platform/queue/queue.ts'
import type { Quotas } from '../platform/quotas.ts'
import type { Seller } from '../platform/seller.ts'
import type { Principal } from './call.ts'
import type { Handler } from './handler.ts'

/** What background work may use. It opens its own handle: `job.database.of(organization)`. */
export interface Job {
  readonly id: string
  readonly task: string
  /** The service that acts; events and provenance are attributed to it. */
  readonly principal: Principal
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly outside: Outside
  readonly blobs: Blobs
  readonly queue: Queue
  /** In whose name documents are issued. */
  readonly seller: Seller
  readonly quotas: Quotas
  readonly log: Logger
  readonly signal: AbortSignal
  /** 0 for the first attempt. */
  readonly attempt: number
  /** True when no further attempt follows a failure of this one. */
  readonly last: boolean
}

/** Background work of one kind, with the shape of its data. */
export interface Task {
  readonly name: string
  readonly retry: RetryPolicy
  run(job: Job, data: unknown): Promise<void>
}

/** Declares background work; its data is checked like an operation's input. */
export function task<Data extends TSchema>(
  name: string,
  data: Data,
  retry: RetryPolicy,
  run: (job: Job, data: Static<Data>) => Promise<void>,
): Task {
  const validator = Compile(data)
  return {
    name,
    retry,
    run: async (job, value) => {
      if (!validator.Check(value)) throw new Error(`the data of task ${name} does not fit its shape`)
      await run(job, value as Static<Data>)
    },
  }
}

/** The service's hand in one organization: what emits, records and the ledger need to know of who acts. */
export const actorOf = (job: Job, organization: string) => ({
  organization,
  principal: job.principal,
  clock: job.clock.of(organization),
  operation: job.task,
  requestId: job.id,
  queue: job.queue,
  seller: job.seller,
  quotas: job.quotas,
})

/** What a room contributes: its answered operations and its background work. */
export interface Room {
  readonly name: string
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
}
