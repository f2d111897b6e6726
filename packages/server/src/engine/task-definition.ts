import type { OrganizationClocks } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { selectOrganizationIntegrations } from '../platform/integrations/integrations.ts'
import type { QueueProducer, RetryPolicy, TaskAttempt, TaskDefinition } from '../platform/queue/queue.ts'
import { noTracing, type Tracing } from '../platform/tracing/tracing.ts'
import type { SharedServices } from './call.ts'
import type { BackgroundTask, TaskContext } from './task.ts'

/** The dependencies that all task runs of an application share. */
export interface TaskRunDependencies extends Omit<SharedServices, 'queue'> {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly log: Logger
  readonly tracing?: Tracing
}

/** The platform itself as a principal, as recorded in events and the ledger. */
export const platformPrincipal = {
  kind: 'service',
  id: 'swath',
  user: null,
  organization: null,
  role: null,
  scopes: ['*'],
  administrator: false,
} as const

/** One run of a task. */
export interface TaskRun extends TaskAttempt {
  readonly name: string
  /** The organization that the task works for; null if it works for many or none. */
  readonly organization: string | null
  readonly signal: AbortSignal
}

/** The context of one run of a task. */
export function createTaskContext(
  dependencies: TaskRunDependencies,
  queue: QueueProducer,
  { id, name, number: attempt, last: isLastAttempt, organization, signal }: TaskRun,
): TaskContext {
  const { database, clock, blobs, processServices, seller, quotas } = dependencies
  return {
    id,
    taskName: name,
    attempt,
    isLastAttempt,
    principal: platformPrincipal,
    database,
    clock,
    integrations: selectOrganizationIntegrations(dependencies.integrations, organization),
    blobs,
    processServices,
    queue,
    seller,
    quotas,
    log: dependencies.log.child({ task: name, id }),
    signal,
  }
}

const organizationOf = (data: unknown): string | null => {
  const { organization_id } = (data ?? {}) as { readonly organization_id?: unknown }
  return typeof organization_id === 'string' ? organization_id : null
}

/**
 * Converts a task to the definition that the queue runs. `queue` is a function because the queue is opened with these
 * definitions and so does not exist yet. `retry` may override the declared retry policy; tests use it.
 */
export function toTaskDefinition(
  dependencies: TaskRunDependencies,
  queue: () => QueueProducer,
  task: BackgroundTask,
  retry: (declared: RetryPolicy) => RetryPolicy = (declared) => declared,
): TaskDefinition {
  return {
    name: task.name,
    retry: retry(task.retry),
    run: (data: unknown, signal: AbortSignal, attempt: TaskAttempt) => {
      const run = { ...attempt, name: task.name, organization: organizationOf(data), signal }
      const span = {
        kind: 'consumer',
        parent: attempt.traceparent ?? null,
        attributes: { 'swath.task': attempt.id, 'swath.attempt': attempt.number + 1 },
      } as const
      const { tracing = noTracing } = dependencies
      return tracing.span(task.name, span, async () => task.run(createTaskContext(dependencies, queue(), run), data))
    },
  }
}
