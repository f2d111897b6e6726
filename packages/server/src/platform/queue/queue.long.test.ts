import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { skipOnCitus } from '../../../test/citus/cluster.ts'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../database/database.ts'
import { getSqlState } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { getRollbackPlans } from 'pg-boss'
import { getSchemaOwnerConnection, getStatementRunner } from '../database/raw.ts'
import { openQueue } from './open-queue.ts'
import type { TaskQueue, QueueLog, QueueOptions, RetryPolicy, TaskAttempt, TaskDefinition } from './queue.ts'

let database: Database
let queue: TaskQueue | undefined
const organization = newId()

before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

/** The data of executed tasks, in order; `taskBehavior` is what a task does. */
let executed: unknown[] = []
let taskBehavior: (data: { readonly n: number }, signal: AbortSignal) => Promise<unknown> = async () => undefined
let warnings: string[] = []
const log: QueueLog = {
  warn: (_fields, message) => void warnings.push(message),
  error: (_fields, message) => void warnings.push(message),
}

const defineTask = (name: string, retry: Partial<RetryPolicy> = {}): TaskDefinition => ({
  name,
  retry: { limit: 0, delay_s: 0, backoff: false, expire_s: 60, ...retry },
  run: async (data, signal) => {
    executed.push(data)
    await taskBehavior(data as { n: number }, signal)
  },
})

async function open(tasks: readonly TaskDefinition[], options: Partial<QueueOptions> = {}): Promise<TaskQueue> {
  queue = await openQueue(database, tasks, { poll_s: 0.3, concurrency: 4, log, ...options })
  return queue
}

beforeEach(() => {
  executed = []
  warnings = []
  taskBehavior = async () => undefined
})
afterEach(async () => {
  await queue?.stop(0)
  queue = undefined
  await database.runScript('drop schema if exists boss cascade')
})

const until = async (condition: () => boolean | Promise<boolean>, timeout_ms = 15_000): Promise<void> => {
  const end = performance.now() + timeout_ms
  while (!(await condition())) {
    if (performance.now() > end)
      assert.fail(`not within ${timeout_ms} ms: ${JSON.stringify(executed)} ${warnings.join('; ')}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const enqueue = (to: TaskQueue, data: object, options = {}): Promise<void> =>
  database.forOrganization(organization).transaction((tx) => to.enqueue(tx, { name: 'test.work' }, data, options))

test('a task is enqueued with its transaction or not at all, including the first one before start', async () => {
  const taskQueue = await open([defineTask('test.work')])
  await assert.rejects(
    database.forOrganization(organization).transaction(async (tx) => {
      await taskQueue.enqueue(tx, { name: 'test.work' }, { n: 1 })
      throw new Error('undone')
    }),
    /undone/,
  )
  await enqueue(taskQueue, { n: 2 })
  await database.unscoped.transaction((tx) => taskQueue.enqueue(tx, { name: 'test.work' }, { n: 3 }))
  await taskQueue.start()
  await until(() => executed.length === 2)
  assert.deepEqual(executed, [{ n: 2 }, { n: 3 }])
})

test('a worker runs a task right after the commit, without waiting for its poll', async () => {
  const taskQueue = await open([defineTask('test.work')], { poll_s: 60 })
  await taskQueue.start()
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (let n = 1; n <= 3; n += 1) {
    await enqueue(taskQueue, { n })
    await until(() => executed.length === n, 5_000)
  }
})

test('at most `concurrency` tasks run at once, and all are executed', async () => {
  let [now, maxRunning] = [0, 0]
  taskBehavior = async () => {
    now += 1
    maxRunning = Math.max(maxRunning, now)
    await new Promise((resolve) => setTimeout(resolve, 20))
    now -= 1
  }
  const taskQueue = await open([defineTask('test.work')], { poll_s: 60 })
  await database.forOrganization(organization).transaction(async (tx) => {
    for (let n = 0; n < 30; n += 1) await taskQueue.enqueue(tx, { name: 'test.work' }, { n })
  })
  await taskQueue.start()
  await until(() => executed.length === 30 && now === 0)
  assert.equal(maxRunning, 4)
})

test('a slow task does not block other tasks', async () => {
  let release = (): void => undefined
  taskBehavior = async ({ n }) => {
    if (n === 0) await new Promise<void>((resolve) => (release = resolve))
  }
  const taskQueue = await open([defineTask('test.work')], { poll_s: 60, concurrency: 2 })
  await taskQueue.start()
  for (let n = 0; n < 6; n += 1) await enqueue(taskQueue, { n })
  await until(() => executed.length === 6)
  release()
})

/** Starts a queue whose tasks of some organizations run until the test ends; returns the organizations whose tasks began. */
async function startWithEndlessTasks(endless: readonly string[], options: Partial<QueueOptions> = {}) {
  const begun: string[] = []
  const work: TaskDefinition = {
    ...defineTask('test.work'),
    run: async (data, signal) => {
      const { organization_id } = data as { organization_id: string }
      begun.push(organization_id)
      if (endless.includes(organization_id)) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  }
  const taskQueue = await open([work, defineTask('test.other')], { poll_s: 60, ...options })
  await taskQueue.start()
  return { taskQueue, begun }
}

const countOf = (begun: readonly string[], id: string): number => begun.filter((other) => other === id).length

test("endless tasks of one organization do not keep another organization's from starting", async () => {
  const [many, one] = [newId(), newId()]
  const { taskQueue, begun } = await startWithEndlessTasks([many])
  for (let n = 0; n < 20; n += 1) await enqueue(taskQueue, { organization_id: many, n })
  await until(() => countOf(begun, many) === 4)
  await enqueue(taskQueue, { organization_id: one })
  await until(() => begun.includes(one))
  assert.equal(countOf(begun, many), 4)
})

test('endless tasks of many organizations do not keep those of another from starting, of any kind', async () => {
  const endless = Array.from({ length: 12 }, newId)
  const one = newId()
  const { taskQueue, begun } = await startWithEndlessTasks(endless)
  for (const organization_id of endless) for (let n = 0; n < 4; n += 1) await enqueue(taskQueue, { organization_id, n })
  await until(() => endless.every((id) => begun.includes(id)))
  await enqueue(taskQueue, { organization_id: one })
  await until(() => begun.includes(one))
  await database.unscoped.transaction((tx) => taskQueue.enqueue(tx, { name: 'test.other' }, { n: 1 }))
  await until(() => executed.length === 1)
})

test('tasks that an earlier version added get a group at the start, and are as fair as others', async () => {
  const [many, one] = [newId(), newId()]
  const first = await open([defineTask('test.work'), defineTask('test.other')])
  for (const organization_id of [...Array.from({ length: 9 }, () => many), one])
    await enqueue(first, { organization_id })
  await first.stop(0)
  await database.unscoped.query(sql`update boss.job set group_id = null`)
  const { begun } = await startWithEndlessTasks([many])
  await until(() => begun.length === 5)
  assert.deepEqual([countOf(begun, many), countOf(begun, one)], [4, 1])
})

test('a task that fails is retried, then dead-lettered, and can be retried manually', async () => {
  taskBehavior = async () => {
    throw new Error('the provider is closed')
  }
  const taskQueue = await open([defineTask('test.work', { limit: 2 })])
  await taskQueue.start()
  await enqueue(taskQueue, { n: 7 })
  await until(async () => (await taskQueue.dead()).length === 1)
  assert.deepEqual(executed, [{ n: 7 }, { n: 7 }, { n: 7 }])
  const [dead] = await taskQueue.dead()
  assert.deepEqual([dead!.task, dead!.data, dead!.error], ['test.work', { n: 7 }, 'the provider is closed'])
  assert.ok(dead!.failed_at instanceof Date)

  taskBehavior = async () => undefined
  assert.equal(await taskQueue.retry(dead!.id), true)
  await until(() => executed.length === 4)
  assert.deepEqual(await taskQueue.dead(), [])
  assert.equal(await taskQueue.retry(dead!.id), false)
  assert.equal(await taskQueue.retry('not an id'), false)
})

test('an attempt has its number and whether it is the last one', async () => {
  const attempts: TaskAttempt[] = []
  const counting: TaskDefinition = {
    ...defineTask('test.work', { limit: 1 }),
    run: async (_data, _signal, attempt) => {
      attempts.push(attempt)
      throw new Error('again')
    },
  }
  const taskQueue = await open([counting])
  await taskQueue.start()
  await enqueue(taskQueue, { n: 1 })
  await until(async () => (await taskQueue.dead()).length === 1)
  assert.equal(attempts[0]!.id, attempts[1]!.id)
  assert.deepEqual(
    attempts.map(({ number, last }) => ({ number, last })),
    [
      { number: 0, last: false },
      { number: 1, last: true },
    ],
  )
})

test('a retry is delayed by its policy', async () => {
  const times: number[] = []
  taskBehavior = async () => {
    times.push(performance.now())
    if (times.length === 1) throw new Error('once')
  }
  const taskQueue = await open([defineTask('test.work', { limit: 1, delay_s: 1 })], { poll_s: 0.1 })
  await taskQueue.start()
  await enqueue(taskQueue, { n: 1 })
  await until(() => times.length === 2)
  assert.ok(times[1]! - times[0]! >= 900, `${times[1]! - times[0]!} ms`)
})

test('a task with the singleton key of a waiting or running task is not added', async () => {
  let release = (): void => undefined
  taskBehavior = () => new Promise<void>((resolve) => (release = resolve))
  const taskQueue = await open([defineTask('test.work')], { poll_s: 0.1 })
  const key = { singleton_key: 'balance' }
  await enqueue(taskQueue, { n: 1 }, key)
  await enqueue(taskQueue, { n: 2 }, key)
  await taskQueue.start()
  await until(() => executed.length === 1)
  await enqueue(taskQueue, { n: 3 }, key)
  release()
  const isCompleted = async (): Promise<boolean> =>
    (await database.unscoped.query(sql`select 1 from boss.job where name = 'test.work' and state = 'completed'`))
      .length === 1
  await until(isCompleted)
  await enqueue(taskQueue, { n: 4 }, key)
  await until(() => executed.length === 2)
  release()
  assert.deepEqual(executed, [{ n: 1 }, { n: 4 }])
})

test('a task with a delay runs after it', async () => {
  const taskQueue = await open([defineTask('test.work')], { poll_s: 0.1 })
  await taskQueue.start()
  const [row] = await database.unscoped.query<{ at: Date }>(sql`select now() + interval '1 second' as at`)
  await enqueue(taskQueue, { n: 1 }, { delay_ms: 1000 })
  await enqueue(taskQueue, { n: 2 })
  await until(() => executed.length === 2)
  const [lateRow] = await database.unscoped.query<{ late: boolean }>(
    sql`select now() >= ${row!.at}::timestamptz as late`,
  )
  assert.deepEqual([executed, lateRow!.late], [[{ n: 2 }, { n: 1 }], true])
})

test('an attempt that exceeds its expiry is aborted and counts as failed', async () => {
  let reason: unknown
  taskBehavior = (_data, signal) =>
    new Promise(() => {
      signal.addEventListener('abort', () => (reason = signal.reason))
    })
  const taskQueue = await open([defineTask('test.work', { expire_s: 1 })])
  await taskQueue.start()
  await enqueue(taskQueue, { n: 1 })
  await until(async () => (await taskQueue.dead()).length === 1)
  assert.match(String(reason), /took longer than 1 s/)
})

test('stop waits for running tasks, and interrupted ones run again after the next start', async () => {
  let done = 0
  taskBehavior = async ({ n }, signal) => {
    if (n === 1) await new Promise((resolve) => setTimeout(resolve, 200))
    else await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
    done += 1
  }
  const first = await open([defineTask('test.work')])
  await first.start()
  await enqueue(first, { n: 1 })
  await until(() => executed.length === 1)
  await first.stop(5_000)
  assert.equal(done, 1)

  const second = await open([defineTask('test.work')])
  await second.start()
  await enqueue(second, { n: 2 })
  await until(() => executed.length === 2)
  await second.stop(50)
  taskBehavior = async () => undefined
  const third = await open([defineTask('test.work')])
  await third.start()
  await until(() => executed.length === 3)
  assert.deepEqual(executed, [{ n: 1 }, { n: 2 }, { n: 2 }])
})

test('claims of a killed process are released before tasks run, on a database without other processes', async () => {
  const order: string[] = []
  taskBehavior = async () => void order.push('task')
  const first = await open([defineTask('test.work')])
  await enqueue(first, { n: 1 })
  await first.stop(0)
  const second = await open([defineTask('test.work')], { recover: async () => void order.push('recovery') })
  await second.start()
  await until(() => order.includes('task'))
  assert.deepEqual(order, database.kind === 'embedded' ? ['recovery', 'task'] : ['task'])
})

test('a scheduled task is added once per slot, and not while the previous one runs', async () => {
  let release = (): void => undefined
  taskBehavior = () => new Promise<void>((resolve) => (release = resolve))
  const schedules = [{ task: { name: 'test.work' }, every_s: 1 }]
  const taskQueue = await open([defineTask('test.work')], { poll_s: 0.1, schedules })
  await taskQueue.start()
  await until(() => executed.length === 1)
  await new Promise((resolve) => setTimeout(resolve, 2_200))
  assert.equal(executed.length, 1)
  release()
  await until(() => executed.length === 2, 4_000)
  release()
  const [row] = await database.unscoped.query<{ slots: boolean }>(sql`
    select count(*) = count(distinct singleton_on) as slots from boss.job where name = 'test.work'`)
  assert.equal(row!.slots, true)
})

test('the app role may only add tasks', async () => {
  const taskQueue = await open([defineTask('test.work')])
  await enqueue(taskQueue, { secret: 'of another organization' })
  for (const statement of [
    sql`select data from boss.job`,
    sql`delete from boss.job`,
    sql`update boss.job set data = null`,
  ]) {
    await assert.rejects(database.forOrganization(newId()).query(statement), (error) => getSqlState(error) === '42501')
  }
})

test('an unknown task and duplicate task definitions are rejected', async () => {
  const taskQueue = await open([defineTask('test.work')])
  await assert.rejects(
    database.unscoped.transaction((tx) => taskQueue.enqueue(tx, { name: 'test.other' }, {})),
    /there is no task definition "test.other"/,
  )
  await assert.rejects(
    openQueue(database, [defineTask('a'), defineTask('a')], { poll_s: 1, concurrency: 1 }),
    /the same name/,
  )
})

test('a changed retry policy applies to tasks that are added afterwards', async () => {
  const before = await open([defineTask('test.work', { limit: 5 })])
  await before.stop(0)
  taskBehavior = async () => {
    throw new Error('no')
  }
  const taskQueue = await open([defineTask('test.work', { limit: 0 })])
  await taskQueue.start()
  await enqueue(taskQueue, { n: 1 })
  await until(async () => (await taskQueue.dead()).length === 1)
  assert.equal(executed.length, 1)
})

test(
  'queue tables of an earlier pg-boss version are migrated, and their tasks run',
  skipOnCitus('it makes them by a script of its own'),
  async () => {
    const firstQueue = await open([defineTask('old.work')])
    await database
      .forOrganization(organization)
      .transaction((tx) => firstQueue.enqueue(tx, { name: 'old.work' }, { n: 1 }))
    await firstQueue.stop(0)
    const owner = getSchemaOwnerConnection(database)
    const version = () => owner.query(sql`select version from boss.version`)
    const now = await version()
    await getStatementRunner(owner).script(getRollbackPlans('boss'))
    assert.notDeepEqual(await version(), now)
    executed = []
    const reopened = await open([defineTask('old.work')])
    await reopened.start()
    while (executed.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(await version(), now)
    assert.deepEqual(await owner.query(sql`select 1 from boss.bam where status <> 'completed'`), [])
  },
)
