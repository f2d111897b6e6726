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

/** What a task run may use. It opens its own connection: `context.database.forOrganization(organization)`. */
export interface Job {
  readonly id: string
  readonly task: string
  /** The service principal; events and provenance are attributed to it. */
  readonly principal: Principal
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly outside: Outside
  readonly blobs: Blobs
  readonly queue: Queue
  /** The company that issues invoices and other documents. */
  readonly seller: Seller
  readonly quotas: Quotas
  readonly log: Logger
  readonly signal: AbortSignal
  /** 0 for the first attempt. */
  readonly attempt: number
  /** True if no further attempt follows a failure of this one. */
  readonly last: boolean
}

/** Background work of one kind; `run` validates its data. */
export interface Task {
  readonly name: string
  readonly retry: RetryPolicy
  run(job: Job, data: unknown): Promise<void>
}

/** Declares background work; its data is validated like the input of an operation. */
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
      if (!validator.Check(value)) throw new Error(`the data of task ${name} does not match its schema`)
      await run(job, value as Static<Data>)
    },
  }
}

/** The service principal acting in one organization, as events, provenance and the ledger record it. */
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

/** What a domain module contributes: its implemented operations and its tasks. */
export interface Room {
  readonly name: string
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
}
