import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { OrganizationClocks } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import type { Integrations } from '../platform/integrations/integrations.ts'
import type { QueueProducer, RetryPolicy, TaskAttempt, TaskDefinition } from '../platform/queue/queue.ts'
import type { Quotas } from '../platform/quotas.ts'
import type { SellerSettings } from '../platform/seller.ts'
import type { ProcessServices } from './process-services.ts'
import type { Task } from './task.ts'

/** What all task runs of an application share. */
export interface TaskDependencies {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly integrations: Integrations
  readonly blobs: BlobStore
  readonly services: ProcessServices
  readonly seller: SellerSettings
  readonly quotas: Quotas
  readonly log: Logger
}

/** The platform itself as a principal, as recorded in events and the ledger. */
export const servicePrincipal = {
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
export function toTaskDefinition(
  dependencies: TaskDependencies,
  queue: () => QueueProducer,
  task: Task,
  retry: (declared: RetryPolicy) => RetryPolicy = (declared) => declared,
): TaskDefinition {
  const { database, clock, integrations, blobs, services, seller, quotas } = dependencies
  return {
    name: task.name,
    retry: retry(task.retry),
    run: (data: unknown, signal: AbortSignal, { id, number, last }: TaskAttempt) => {
      const log = dependencies.log.child({ task: task.name, id })
      const common = {
        principal: servicePrincipal,
        database,
        clock,
        integrations,
        blobs,
        services,
        queue: queue(),
        seller,
        quotas,
        log,
        signal,
      }
      return task.run({ ...common, id, taskName: task.name, attempt: number, isLastAttempt: last }, data)
    },
  }
}
