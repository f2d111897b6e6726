import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { driverOf, runnerOf } from '../database/raw.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { repeat } from '../repeat.ts'
import { openBoss, within } from './boss.ts'
import { deadQueue, findDeadKind, listDead, reviveDead } from './dead.ts'
import { announceTo, type HouseQueue, type QueueOptions, type TaskKind } from './queue.ts'
import { ensureQueueSchema } from './queue-schema.ts'
import { startSchedules } from './schedule.ts'
import { openSlots } from './slots.ts'
import { openWakeUps } from './wake.ts'
import { startWorker } from './worker.ts'
import type { Worker } from './worker.ts'

const day_s = 24 * 60 * 60
/** Retention of waiting tasks, completed ones and dead ones. */
const keep_s = { waiting: 90 * day_s, done: day_s, dead: 365 * day_s }
const defaultHeartbeat_s = 60
const supervise_ms = 30_000
const defaultGrace_ms = 30_000
const defaultDeadLimit = 200

const heartbeatOf = (options: QueueOptions): number => Math.max(10, options.heartbeat_s ?? defaultHeartbeat_s)

const optionsOf = (kind: TaskKind, heartbeat_s: number) => ({
  retryLimit: kind.retry.limit,
  retryDelay: kind.retry.delay_s,
  retryBackoff: kind.retry.backoff,
  expireInSeconds: kind.retry.expire_s,
  retentionSeconds: keep_s.waiting,
  deleteAfterSeconds: keep_s.done,
  heartbeatSeconds: heartbeat_s,
  deadLetter: deadQueue,
})

/** Creates missing queues and updates the options of the others. */
async function ensureQueues(boss: PgBoss, tasks: readonly TaskKind[], heartbeat_s: number): Promise<void> {
  const have = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!have.has(deadQueue)) {
    await boss.createQueue(deadQueue, { retentionSeconds: keep_s.dead, deleteAfterSeconds: keep_s.dead })
  }
  for (const kind of tasks) {
    const wanted = optionsOf(kind, heartbeat_s)
    const queue = have.get(kind.name)
    if (!queue) await boss.createQueue(kind.name, { ...wanted, policy: 'exclusive' })
    else if (Object.entries(wanted).some(([name, value]) => queue[name as keyof typeof queue] !== value)) {
      await boss.updateQueue(kind.name, wanted)
    }
  }
}

/**
 * After the end of the only process, no task is running any more: active tasks wait again, and the attempt is not counted.
 */
async function reclaim(database: Database): Promise<void> {
  await database.across.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null where state = 'active'`)
}

/** The same for one task that was interrupted by a stop. */
async function giveBack(database: Database, task: string, id: string): Promise<void> {
  await database.across.query(sql`
    update boss.job set state = 'created', started_on = null, heartbeat_on = null
    where name = ${task} and id = ${id} and state = 'active'`)
}

/** The names of tasks that are waiting and due. */
async function findDue(database: Database, tasks: readonly string[]): Promise<string[]> {
  const rows = await database.across.query<{ task: string }>(
    sql.kept(sql`
      select task from unnest(${tasks}::text[]) as task
      where exists (select 1 from boss.job j
                    where j.name = task and j.state < 'active' and not j.blocked and j.start_after <= now())`),
  )
  return rows.map((row) => row.task)
}

function refuseDoubles(tasks: readonly TaskKind[]): Set<string> {
  const names = new Set(tasks.map((kind) => kind.name))
  if (names.size !== tasks.length) throw new Error('two task definitions have the same name')
  return names
}

/**
 * Starts the workers of this process and their timers; the returned function stops them, waiting up to `grace_ms` for
 * running tasks.
 */
function startWork(
  boss: PgBoss,
  database: Database,
  tasks: readonly TaskKind[],
  options: QueueOptions,
  workers: Map<string, Worker>,
  wake: (task: string) => void,
): (grace_ms: number) => Promise<void> {
  const settings = {
    slots: openSlots(options.concurrency, tasks.length),
    alive_ms: (heartbeatOf(options) * 1000) / 3,
    log: options.log,
    giveBack: (task: string, id: string) => giveBack(database, task, id),
  }
  for (const kind of tasks) workers.set(kind.name, startWorker(boss, kind, settings))
  const fault = (sentence: string) => (error: unknown) => options.log?.error({ error }, sentence)
  // Handles tasks whose process stopped responding, expired tasks, and rows past their retention.
  const endSupervision = repeat(supervise_ms, () => boss.supervise(), fault('the supervision of the queue failed'))
  // Finds due tasks without a notification: retried after a failure, scheduled for now, or added by another process. One
  // query for all task definitions, because most have nothing to do most of the time.
  const wakeDue = async (): Promise<void> => {
    for (const task of await findDue(database, [...workers.keys()])) workers.get(task)?.wake()
  }
  const endLookout = repeat(options.poll_s * 1000, wakeDue, fault('the queue could not be read'))
  const endSchedules = startSchedules(boss, options.schedules ?? [], wake, options.log)
  return async (grace_ms) => {
    await Promise.all([endSupervision(), endSchedules(), endLookout()])
    await Promise.all([...workers.values()].map((worker) => worker.stop(grace_ms)))
  }
}

async function openReady(database: Database, tasks: readonly TaskKind[], options: QueueOptions): Promise<PgBoss> {
  await ensureQueueSchema(database)
  const boss = await openBoss(database, options.log)
  try {
    await ensureQueues(boss, tasks, heartbeatOf(options))
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
  tasks: readonly TaskKind[],
  options: QueueOptions,
): Promise<HouseQueue> {
  const names = refuseDoubles(tasks)
  const boss = await openReady(database, tasks, options)
  const workers = new Map<string, Worker>()
  const wake = (task: string): void => workers.get(task)?.wake()
  const wakeUps = openWakeUps(driverOf(database), runnerOf(database.across), wake, options.log)
  let starting: Promise<(grace_ms: number) => Promise<void>> | undefined
  let stopping: Promise<void> | undefined
  const start = async (): Promise<(grace_ms: number) => Promise<void>> => {
    if (database.kind === 'embedded') await reclaim(database)
    await wakeUps.listen()
    return startWork(boss, database, tasks, options, workers, wakeUps.tell)
  }
  const stop = async (grace_ms: number): Promise<void> => {
    const endWork = await starting?.catch(() => undefined)
    await endWork?.(grace_ms)
    await wakeUps.close()
    await boss.stop({ graceful: false, close: false })
  }

  const enqueue: HouseQueue['enqueue'] = async (tx, task, data, { start_after, singleton_key } = {}) => {
    if (!names.has(task)) throw new Error(`there is no task definition "${task}"`)
    const id = newId()
    const when = start_after ? { startAfter: start_after } : {}
    await within(tx, () => boss.send(task, data, { id, singletonKey: singleton_key ?? id, ...when }))
    tx.afterCommit(() => wakeUps.tell(task))
  }

  return {
    enqueue,
    announce: announceTo(options.reactions ?? {}, enqueue),
    start: async () => {
      await (starting ??= start())
    },
    stop: (grace_ms = defaultGrace_ms) => (stopping ??= stop(grace_ms)),
    dead: (limit = defaultDeadLimit) => listDead(database, limit),
    retry: async (id) => {
      const task = await findDeadKind(database, id)
      const revived = task !== null && (await reviveDead(boss, database, id))
      if (revived) wakeUps.tell(task)
      return revived
    },
  }
}
