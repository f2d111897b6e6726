import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../database/database.ts'
import { sqlState } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { getRollbackPlans } from 'pg-boss'
import { ownerOf, runnerOf } from '../database/raw.ts'
import { openQueue } from './open-queue.ts'
import type { HouseQueue, QueueLog, QueueOptions, RetryPolicy, TaskAttempt, TaskKind } from './queue.ts'

let database: Database
let queue: HouseQueue | undefined
const organization = newId()

before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

/** The data of executed tasks, in order; `taskBehavior` is what a task does. */
let ran: unknown[] = []
let behave: (data: { readonly n: number }, signal: AbortSignal) => Promise<unknown> = async () => undefined
let warnings: string[] = []
const log: QueueLog = {
  warn: (_fields, message) => void warnings.push(message),
  error: (_fields, message) => void warnings.push(message),
}

const kind = (name: string, retry: Partial<RetryPolicy> = {}): TaskKind => ({
  name,
  retry: { limit: 0, delay_s: 0, backoff: false, expire_s: 60, ...retry },
  run: async (data, signal) => {
    ran.push(data)
    await behave(data as { n: number }, signal)
  },
})

async function open(tasks: readonly TaskKind[], options: Partial<QueueOptions> = {}): Promise<HouseQueue> {
  queue = await openQueue(database, tasks, { poll_s: 0.3, concurrency: 4, log, ...options })
  return queue
}

beforeEach(() => {
  ran = []
  warnings = []
  behave = async () => undefined
})
afterEach(async () => {
  await queue?.stop(0)
  queue = undefined
  await database.runScript('drop schema if exists boss cascade')
})

const until = async (what: () => boolean | Promise<boolean>, patience_ms = 15_000): Promise<void> => {
  const end = performance.now() + patience_ms
  while (!(await what())) {
    if (performance.now() > end)
      assert.fail(`not within ${patience_ms} ms: ${JSON.stringify(ran)} ${warnings.join('; ')}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const enqueue = (to: HouseQueue, data: object, options = {}): Promise<void> =>
  database.of(organization).transaction((tx) => to.enqueue(tx, 'test.work', data, options))

test('a task is enqueued with its transaction or not at all, including the first one before start', async () => {
  const house = await open([kind('test.work')])
  await assert.rejects(
    database.of(organization).transaction(async (tx) => {
      await house.enqueue(tx, 'test.work', { n: 1 })
      throw new Error('undone')
    }),
    /undone/,
  )
  await enqueue(house, { n: 2 })
  await database.across.transaction((tx) => house.enqueue(tx, 'test.work', { n: 3 }))
  await house.start()
  await until(() => ran.length === 2)
  assert.deepEqual(ran, [{ n: 2 }, { n: 3 }])
})

test('a worker runs a task right after the commit, without waiting for its poll', async () => {
  const house = await open([kind('test.work')], { poll_s: 60 })
  await house.start()
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (let n = 1; n <= 3; n += 1) {
    await enqueue(house, { n })
    await until(() => ran.length === n, 5_000)
  }
})

test('at most `concurrency` tasks run at once, and all are executed', async () => {
  let [now, most] = [0, 0]
  behave = async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setTimeout(resolve, 20))
    now -= 1
  }
  const house = await open([kind('test.work')], { poll_s: 60 })
  await database.of(organization).transaction(async (tx) => {
    for (let n = 0; n < 30; n += 1) await house.enqueue(tx, 'test.work', { n })
  })
  await house.start()
  await until(() => ran.length === 30 && now === 0)
  assert.equal(most, 4)
})

test('a slow task does not block other tasks', async () => {
  let release = (): void => undefined
  behave = async ({ n }) => {
    if (n === 0) await new Promise<void>((resolve) => (release = resolve))
  }
  const house = await open([kind('test.work')], { poll_s: 60, concurrency: 2 })
  await house.start()
  for (let n = 0; n < 6; n += 1) await enqueue(house, { n })
  await until(() => ran.length === 6)
  release()
})

test('a task that fails is retried, then dead-lettered, and can be retried manually', async () => {
  behave = async () => {
    throw new Error('the provider is closed')
  }
  const house = await open([kind('test.work', { limit: 2 })])
  await house.start()
  await enqueue(house, { n: 7 })
  await until(async () => (await house.dead()).length === 1)
  assert.deepEqual(ran, [{ n: 7 }, { n: 7 }, { n: 7 }])
  const [dead] = await house.dead()
  assert.deepEqual([dead!.task, dead!.data, dead!.error], ['test.work', { n: 7 }, 'the provider is closed'])
  assert.ok(dead!.failed_at instanceof Date)

  behave = async () => undefined
  assert.equal(await house.retry(dead!.id), true)
  await until(() => ran.length === 4)
  assert.deepEqual(await house.dead(), [])
  assert.equal(await house.retry(dead!.id), false)
  assert.equal(await house.retry('not an id'), false)
})

test('an attempt has its number and whether it is the last one', async () => {
  const attempts: TaskAttempt[] = []
  const counting: TaskKind = {
    ...kind('test.work', { limit: 1 }),
    run: async (_data, _signal, attempt) => {
      attempts.push(attempt)
      throw new Error('again')
    },
  }
  const house = await open([counting])
  await house.start()
  await enqueue(house, { n: 1 })
  await until(async () => (await house.dead()).length === 1)
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
  behave = async () => {
    times.push(performance.now())
    if (times.length === 1) throw new Error('once')
  }
  const house = await open([kind('test.work', { limit: 1, delay_s: 1 })], { poll_s: 0.1 })
  await house.start()
  await enqueue(house, { n: 1 })
  await until(() => times.length === 2)
  assert.ok(times[1]! - times[0]! >= 900, `${times[1]! - times[0]!} ms`)
})

test('a task with the singleton key of a waiting or running task is not added', async () => {
  let release = (): void => undefined
  behave = () => new Promise<void>((resolve) => (release = resolve))
  const house = await open([kind('test.work')], { poll_s: 0.1 })
  const key = { singleton_key: 'balance' }
  await enqueue(house, { n: 1 }, key)
  await enqueue(house, { n: 2 }, key)
  await house.start()
  await until(() => ran.length === 1)
  await enqueue(house, { n: 3 }, key)
  release()
  const settled = async (): Promise<boolean> =>
    (await database.across.query(sql`select 1 from boss.job where name = 'test.work' and state = 'completed'`))
      .length === 1
  await until(settled)
  await enqueue(house, { n: 4 }, key)
  await until(() => ran.length === 2)
  release()
  assert.deepEqual(ran, [{ n: 1 }, { n: 4 }])
})

test('a task with start_after runs after that time', async () => {
  const house = await open([kind('test.work')], { poll_s: 0.1 })
  await house.start()
  const [row] = await database.across.query<{ at: Date }>(sql`select now() + interval '1 second' as at`)
  await enqueue(house, { n: 1 }, { start_after: row!.at })
  await enqueue(house, { n: 2 })
  await until(() => ran.length === 2)
  const [late] = await database.across.query<{ late: boolean }>(sql`select now() >= ${row!.at}::timestamptz as late`)
  assert.deepEqual([ran, late!.late], [[{ n: 2 }, { n: 1 }], true])
})

test('an attempt that exceeds its expiry is aborted and counts as failed', async () => {
  let reason: unknown
  behave = (_data, signal) =>
    new Promise(() => {
      signal.addEventListener('abort', () => (reason = signal.reason))
    })
  const house = await open([kind('test.work', { expire_s: 1 })])
  await house.start()
  await enqueue(house, { n: 1 })
  await until(async () => (await house.dead()).length === 1)
  assert.match(String(reason), /took longer than 1 s/)
})

test('stop waits for running tasks, and interrupted ones run again after the next start', async () => {
  let done = 0
  behave = async ({ n }, signal) => {
    if (n === 1) await new Promise((resolve) => setTimeout(resolve, 200))
    else await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
    done += 1
  }
  const first = await open([kind('test.work')])
  await first.start()
  await enqueue(first, { n: 1 })
  await until(() => ran.length === 1)
  await first.stop(5_000)
  assert.equal(done, 1)

  const second = await open([kind('test.work')])
  await second.start()
  await enqueue(second, { n: 2 })
  await until(() => ran.length === 2)
  await second.stop(50)
  behave = async () => undefined
  const third = await open([kind('test.work')])
  await third.start()
  await until(() => ran.length === 3)
  assert.deepEqual(ran, [{ n: 1 }, { n: 2 }, { n: 2 }])
})

test('a scheduled task is added once per slot, and not while the previous one runs', async () => {
  let release = (): void => undefined
  behave = () => new Promise<void>((resolve) => (release = resolve))
  const schedules = [{ task: 'test.work', every_s: 1, data: { n: 0 } }]
  const house = await open([kind('test.work')], { poll_s: 0.1, schedules })
  await house.start()
  await until(() => ran.length === 1)
  await new Promise((resolve) => setTimeout(resolve, 2_200))
  assert.equal(ran.length, 1)
  release()
  await until(() => ran.length === 2, 4_000)
  release()
  const [row] = await database.across.query<{ slots: boolean }>(sql`
    select count(*) = count(distinct singleton_on) as slots from boss.job where name = 'test.work'`)
  assert.equal(row!.slots, true)
})

test('the app role may only add tasks', async () => {
  const house = await open([kind('test.work')])
  await enqueue(house, { secret: 'of another organization' })
  for (const statement of [
    sql`select data from boss.job`,
    sql`delete from boss.job`,
    sql`update boss.job set data = null`,
  ]) {
    await assert.rejects(database.of(newId()).query(statement), (error) => sqlState(error) === '42501')
  }
})

test('an unknown task and duplicate task definitions are rejected', async () => {
  const house = await open([kind('test.work')])
  await assert.rejects(
    database.across.transaction((tx) => house.enqueue(tx, 'test.other', {})),
    /there is no task definition "test.other"/,
  )
  await assert.rejects(openQueue(database, [kind('a'), kind('a')], { poll_s: 1, concurrency: 1 }), /the same name/)
})

test('a changed retry policy applies to tasks that are added afterwards', async () => {
  const before = await open([kind('test.work', { limit: 5 })])
  await before.stop(0)
  behave = async () => {
    throw new Error('no')
  }
  const house = await open([kind('test.work', { limit: 0 })])
  await house.start()
  await enqueue(house, { n: 1 })
  await until(async () => (await house.dead()).length === 1)
  assert.equal(ran.length, 1)
})

test('queue tables of an earlier pg-boss version are migrated, and their tasks run', async () => {
  const waiting = await open([kind('old.work')])
  await database.of(organization).transaction((tx) => waiting.enqueue(tx, 'old.work', { n: 1 }))
  await waiting.stop(0)
  const owner = ownerOf(database)
  const version = () => owner.query(sql`select version from boss.version`)
  const now = await version()
  await runnerOf(owner).script(getRollbackPlans('boss'))
  assert.notDeepEqual(await version(), now)
  ran = []
  const again = await open([kind('old.work')])
  await again.start()
  while (ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(await version(), now)
  assert.deepEqual(await owner.query(sql`select 1 from boss.bam where status <> 'completed'`), [])
})
