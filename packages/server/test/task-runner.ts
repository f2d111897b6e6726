import { backgroundTasks } from '../src/domains/domains.ts'
import { eventHandlers } from '../src/domains/event-handlers.ts'
import type { Call } from '../src/engine/call.ts'
import { toTaskDefinition, type TaskRunDependencies } from '../src/engine/task-definition.ts'
import { createLogger } from '../src/platform/log.ts'
import { readConfig } from '../src/platform/config.ts'
import { newId } from '../src/platform/ids.ts'
import { createEventPublisher, type QueueProducer, type TypedTaskName } from '../src/platform/queue/queue.ts'
import { readOperationQuotas } from '../src/platform/quotas.ts'
import { callOperation } from './call-operation.ts'
import { seller, type TestServices } from './test-services.ts'

interface PendingTask {
  readonly task: string
  readonly data: object
}

export interface TaskRunner {
  /** The queue for calls of a test: enqueued tasks wait until `runPending`. */
  readonly queue: QueueProducer
  /** The names of the pending tasks; of one organization if passed. */
  pendingTasks(organization?: string): string[]
  /** Runs all pending tasks in order, and those that they enqueue. Throws if a task fails. */
  runPending(): Promise<void>
  /** Runs one task now, as its schedule would; the signal aborts when the process stops. */
  runTask<Data extends object>(task: TypedTaskName<Data>, data?: Data, signal?: AbortSignal): Promise<void>
}

const silentLog = createLogger({ level: 'silent' })

/** Runs real background tasks on request of a test, without a queue. A task of a rolled-back transaction is not enqueued. */
export function createTaskRunner({
  database,
  clock,
  blobs,
  processServices,
  integrations,
}: Omit<TaskRunDependencies, 'seller' | 'quotas' | 'log'>): TaskRunner {
  const pending: PendingTask[] = []
  const enqueue: QueueProducer['enqueue'] = async (tx, { name: task }, data) => {
    if (!backgroundTasks.some(({ name }) => name === task)) throw new Error(`unknown task "${task}"`)
    tx.afterCommit(() => pending.push({ task, data }))
  }
  const queue: QueueProducer = { enqueue, publish: createEventPublisher(eventHandlers, enqueue) }
  const dependencies = {
    database,
    clock,
    blobs,
    processServices,
    integrations,
    seller,
    quotas: readOperationQuotas(readConfig({})),
    log: silentLog,
  }
  const runTask = async (
    { name }: TypedTaskName<never>,
    data: object = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> => {
    const definition = toTaskDefinition(
      dependencies,
      () => queue,
      backgroundTasks.find((task) => task.name === name)!,
    )
    await definition.run(data, signal, { id: newId(), number: 0, last: false })
  }
  return {
    queue,
    runTask,
    pendingTasks: (organization) =>
      pending
        .filter(({ data }) => organization === undefined || Reflect.get(data, 'organization_id') === organization)
        .map(({ task }) => task),
    runPending: async () => {
      for (let next = pending.shift(); next; next = pending.shift()) await runTask({ name: next.task }, next.data)
    },
  }
}

/** An organization whose calls enqueue tasks, which run on request. */
export async function createQueuedOrganization(services: TestServices) {
  const runner = createTaskRunner(services)
  const { organization, project, owner: plain, createMemberCall } = await services.createOrganization()
  const withQueue = (call: Call): Call => ({ ...call, queue: runner.queue })
  const owner = withQueue(plain)
  return {
    organization,
    project,
    owner,
    runner,
    invoke: <T = Record<string, never>>(id: string, input: Record<string, unknown> = {}, call: Call = owner) =>
      callOperation<T>(id, { ...call, operation: id }, input),
    createMember: async (role: Parameters<typeof createMemberCall>[0]) => withQueue(await createMemberCall(role)),
  }
}
