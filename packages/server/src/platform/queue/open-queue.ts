import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { getDatabaseDriver, getStatementRunner } from '../database/raw.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { runPeriodically } from '../run-periodically.ts'
import { openPgBoss, runPgBossInTransaction } from './boss.ts'
import { deadLetterQueue } from './dead-letters.ts'
import { createEventPublisher, type TaskQueue, type QueueOptions, type TaskDefinition } from './queue.ts'
import { ensureQueueSchema } from './queue-schema.ts'
import {
  enqueueSandboxTask,
  runDueSandboxTask,
  findSandboxOfBackgroundTask,
  dueSandboxTaskRows,
} from './sandbox-tasks.ts'
import { startTaskSchedules } from './schedule.ts'
import { createTaskSlots } from './slots.ts'
import { createTaskNotifier } from './notify.ts'
import { createQueueAdministration } from './operated-queue.ts'
import { addMissingTaskGroups, findTaskGroup } from './task-groups.ts'
import { addTaskTraceContext } from './task-trace.ts'
import { startTaskWorker } from './worker.ts'
import type { TaskWorker } from './worker.ts'

const day_s = 24 * 60 * 60
/** Retention of waiting tasks, completed ones and dead ones. */
const retention_s = { waiting: 90 * day_s, done: day_s, dead: 365 * day_s }
const default_heartbeat_s = 60
const supervise_interval_ms = 30_000
const default_grace_ms = 30_000

const heartbeatSeconds = (options: QueueOptions): number => Math.max(10, options.heartbeat_s ?? default_heartbeat_s)

const toBossOptions = (definition: TaskDefinition, heartbeat_s: number) => ({
  retryLimit: definition.retry.limit,
  retryDelay: definition.retry.delay_s,
  retryBackoff: definition.retry.backoff,
  expireInSeconds: definition.retry.expire_s,
  retentionSeconds: retention_s.waiting,
  deleteAfterSeconds: retention_s.done,
  heartbeatSeconds: heartbeat_s,
  deadLetter: deadLetterQueue,
})

/** Creates missing queues and updates the options of the others. */
async function ensureQueues(boss: PgBoss, tasks: readonly TaskDefinition[], heartbeat_s: number): Promise<void> {
  const existingQueues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!existingQueues.has(deadLetterQueue)) {
    await boss.createQueue(deadLetterQueue, {
      retentionSeconds: retention_s.dead,
      deleteAfterSeconds: retention_s.dead,
    })
  }
  for (const definition of tasks) {
    const expectedOptions = toBossOptions(definition, heartbeat_s)
    const queue = existingQueues.get(definition.name)
    if (!queue) await boss.createQueue(definition.name, { ...expectedOptions, policy: 'exclusive' })
    else if (Object.entries(expectedOptions).some(([name, value]) => queue[name as keyof typeof queue] !== value)) {
      await boss.updateQueue(definition.name, expectedOptions)
    }
  }
}

/**
 * After the end of the only process, no task is running any more: active tasks wait again, and the attempt is not counted.
 */
export async function requeueActiveTasks(database: Database): Promise<void> {
  await database.unscoped.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null where state = 'active'`)
}

/** The same for one task that was interrupted by a stop. */
async function requeueTask(database: Database, task: string, id: string): Promise<void> {
  await database.unscoped.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null
    where name = ${task} and id = ${id} and state = 'active'`)
}

/** The names of tasks that are waiting and due. */
async function findDueTasks(database: Database, tasks: readonly string[]): Promise<string[]> {
  const rows = await database.unscoped.query<{ task: string }>(
    sql.prepared(sql`
      select task from unnest(${tasks}::text[]) as task
      where exists (select 1 from boss.job j
                    where j.name = task and j.state < 'active' and not j.blocked and j.start_after <= now())`),
  )
  return rows.map((row) => row.task)
}

function requireUniqueNames(tasks: readonly TaskDefinition[]): Set<string> {
  const names = new Set(tasks.map((definition) => definition.name))
  if (names.size !== tasks.length) throw new Error('two task definitions have the same name')
  return names
}

/**
 * Starts the workers of this process and their timers; the returned function stops them, waiting up to `grace_ms` for
 * running tasks.
 */
function startWorkers(
  boss: PgBoss,
  database: Database,
  {
    tasks,
    options,
    workers,
    wakeWorker,
  }: {
    readonly tasks: readonly TaskDefinition[]
    readonly options: QueueOptions
    readonly workers: Map<string, TaskWorker>
    readonly wakeWorker: (task: string) => void
  },
): (grace_ms: number) => Promise<void> {
  const workerSettings = {
    slots: createTaskSlots(options.concurrency, tasks.length),
    heartbeat_interval_ms: (heartbeatSeconds(options) * 1000) / 3,
    log: options.log,
    ...(options.recordAttempt ? { recordAttempt: options.recordAttempt } : {}),
    requeueTask: (task: string, id: string) => requeueTask(database, task, id),
  }
  for (const definition of tasks) workers.set(definition.name, startTaskWorker(boss, definition, workerSettings))
  const logError = (message: string) => (error: unknown) => options.log?.error({ error }, message)
  // Handles tasks whose process stopped responding, expired tasks, and rows past their retention.
  const stopSupervision = runPeriodically(
    supervise_interval_ms,
    () => boss.supervise(),
    logError('the supervision of the queue failed'),
  )
  // Finds due tasks without a notification: retried after a failure, scheduled for now, or added by another process. One
  // query for all task definitions, because most have nothing to do most of the time.
  const wakeDueWorkers = async (): Promise<void> => {
    for (const task of await findDueTasks(database, [...workers.keys()])) workers.get(task)?.wake()
  }
  const stopPolling = runPeriodically(options.poll_s * 1000, wakeDueWorkers, logError('the queue could not be read'))
  const stopSchedules = startTaskSchedules(boss, options.schedules ?? [], wakeWorker, options.log)
  return async (grace_ms) => {
    await Promise.all([stopSupervision(), stopSchedules(), stopPolling()])
    await Promise.all([...workers.values()].map((worker) => worker.stop(grace_ms)))
  }
}

async function openBossWithQueues(
  database: Database,
  tasks: readonly TaskDefinition[],
  options: QueueOptions,
): Promise<PgBoss> {
  await ensureQueueSchema(database)
  const boss = await openPgBoss(database, options.log)
  try {
    await ensureQueues(boss, tasks, heartbeatSeconds(options))
    return boss
  } catch (error) {
    await boss.stop({ graceful: false, close: false })
    throw error
  }
}

/**
 * The background tasks of the server, on either database. `tasks` must contain every task definition; enqueuing an unknown
 * one throws.
 */
export async function openQueue(
  database: Database,
  tasks: readonly TaskDefinition[],
  options: QueueOptions,
): Promise<TaskQueue> {
  const { currentTrace } = options
  const names = requireUniqueNames(tasks)
  const boss = await openBossWithQueues(database, tasks, options)
  const workers = new Map<string, TaskWorker>()
  const wakeWorker = (task: string): void => workers.get(task)?.wake()
  const notifier = createTaskNotifier(
    getDatabaseDriver(database),
    getStatementRunner(database.unscoped),
    wakeWorker,
    options.log,
  )
  let starting: Promise<(grace_ms: number) => Promise<void>> | undefined
  let stopping: Promise<void> | undefined
  const start = async (): Promise<(grace_ms: number) => Promise<void>> => {
    if (database.kind === 'embedded') {
      await requeueActiveTasks(database)
      await options.recover?.()
    }
    await addMissingTaskGroups(database)
    await notifier.listen()
    return startWorkers(boss, database, { tasks, options, workers, wakeWorker: notifier.notify })
  }
  const stop = async (grace_ms: number): Promise<void> => {
    const stopWorkers = await starting?.catch(() => undefined)
    await stopWorkers?.(grace_ms)
    await notifier.close()
    await boss.stop({ graceful: false, close: false })
  }

  const enqueue: TaskQueue['enqueue'] = async (tx, { name: task }, data, options = {}) => {
    if (!names.has(task)) throw new Error(`there is no task definition "${task}"`)
    const { delay_ms, singleton_key } = options
    const id = newId()
    const sandbox = findSandboxOfBackgroundTask(data)
    if (sandbox !== null) return enqueueSandboxTask(tx, { organization: sandbox, id, name: task, data }, options)
    const when = delay_ms === undefined ? {} : { startAfter: Math.ceil(delay_ms / 1000) }
    const bossOptions = { id, singletonKey: singleton_key ?? id, group: { id: findTaskGroup(data) }, ...when }
    const traced = addTaskTraceContext(data, currentTrace?.() ?? null)
    await runPgBossInTransaction(tx, () => boss.send(task, traced, bossOptions))
    tx.afterCommit(() => notifier.notify(task))
  }

  const definitions = new Map(tasks.map((definition) => [definition.name, definition]))
  return {
    runDueSandboxTask: (run) =>
      runDueSandboxTask({ db: database.forOrganization(run.organization), definitions, log: options.log }, run),
    sandboxTaskRows: dueSandboxTaskRows,
    enqueue,
    publish: createEventPublisher(options.reactions ?? {}, enqueue),
    start: async () => {
      await (starting ??= start())
    },
    stop: (grace_ms = default_grace_ms) => (stopping ??= stop(grace_ms)),
    ...createQueueAdministration(boss, database, notifier.notify),
  }
}
