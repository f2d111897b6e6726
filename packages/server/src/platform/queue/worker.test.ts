import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Job, PgBoss } from 'pg-boss'
import type { TaskDefinition } from './queue.ts'
import { createTaskSlots } from './slots.ts'
import { startTaskWorker, type TaskWorker, type TaskWorkerOptions } from './worker.ts'

/** The writes to the database, in order; the first `failuresLeft` writes fail. */
let written: string[] = []
let failuresLeft = 0
let waiting: Record<string, number> = {}
let workers: TaskWorker[] = []

const write = async (what: string): Promise<never[]> => {
  if (failuresLeft > 0) {
    failuresLeft -= 1
    throw new Error('the database is away')
  }
  written.push(what)
  return []
}

/** The organizations of further waiting tasks, in the order in which they were added. */
let waitingOrganizations: string[] = []

/** A fake pg-boss with the methods that a worker uses, over a number of waiting tasks of each definition. */
const boss = {
  fetch: async (task: string, { ignoreGroups }: { ignoreGroups: readonly string[] }) => {
    const created = { id: task, name: task, retryCount: 0 }
    const next = waitingOrganizations.findIndex((organization) => !ignoreGroups.includes(organization))
    const [organization_id] = next < 0 ? [] : waitingOrganizations.splice(next, 1)
    if (organization_id) return [{ ...created, data: { organization_id } } as unknown as Job<object>]
    if (!waiting[task]) return []
    waiting[task] -= 1
    return [{ ...created, data: {} } as Job<object>]
  },
  complete: (task: string) => write(`complete ${task}`),
  fail: (task: string) => write(`fail ${task}`),
  touch: async () => undefined,
} as unknown as PgBoss

const start = (name: string, run: TaskDefinition['run'], options: Partial<TaskWorkerOptions> = {}): TaskWorker => {
  const definition: TaskDefinition = { name, run, retry: { limit: 0, delay_s: 0, backoff: false, expire_s: 60 } }
  const requeueTask = async (task: string): Promise<void> => void (await write(`requeue ${task}`))
  const workerOptions = {
    slots: createTaskSlots(1, 1),
    heartbeat_interval_ms: 60_000,
    log: undefined,
    requeueTask,
    ...options,
  }
  const worker = startTaskWorker(boss, definition, workerOptions)
  workers.push(worker)
  return worker
}

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)))
  ;[written, failuresLeft, waiting, workers, waitingOrganizations] = [[], 0, {}, [], []]
})

const until = async (what: () => boolean): Promise<void> => {
  const end = performance.now() + 10_000
  while (!what()) {
    if (performance.now() > end) assert.fail(`not in time: ${written.join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a completion that cannot be written is retried, without running the task again', async () => {
  let ran = 0
  waiting = { work: 1 }
  failuresLeft = 2
  start('work', async () => void (ran += 1))
  await until(() => written.length > 0)
  assert.deepEqual([written, ran], [['complete work'], 1])
})

test('a failure that cannot be written is retried', async () => {
  waiting = { work: 1 }
  failuresLeft = 2
  start('work', () => Promise.reject(new Error('no')))
  await until(() => written.length > 0)
  assert.deepEqual(written, ['fail work'])
})

test('stop does not wait for an unavailable database', async () => {
  let done = false
  waiting = { work: 1 }
  failuresLeft = Number.POSITIVE_INFINITY
  const worker = start('work', async () => void (done = true))
  await until(() => done)
  const begin_ms = performance.now()
  await worker.stop(60_000)
  assert.deepEqual(written, [])
  assert.ok(performance.now() - begin_ms < 10_000)
})

test('all task definitions share the slots, and none gets all of them', async () => {
  const runningByTask = new Map<string, number>()
  let maxRunning = 0
  const slots = createTaskSlots(3, 3, { long_after_ms: 60_000 })
  const runUntilAborted = (name: string) => async (_data: unknown, signal: AbortSignal) => {
    runningByTask.set(name, (runningByTask.get(name) ?? 0) + 1)
    maxRunning = Math.max(
      maxRunning,
      [...runningByTask.values()].reduce((sum, count) => sum + count, 0),
    )
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  let quickRuns = 0
  waiting = { slow: 50, quick: 20, other: 0 }
  start('slow', runUntilAborted('slow'), { slots })
  await until(() => runningByTask.get('slow') === 2)
  start('quick', async () => void (quickRuns += 1), { slots })
  start('other', runUntilAborted('other'), { slots })
  await until(() => quickRuns === 20)
  assert.deepEqual([runningByTask.get('slow'), maxRunning], [2, 2])
})

test('busy task definitions alternate', async () => {
  const order: string[] = []
  const slots = createTaskSlots(1, 2)
  waiting = { a: 3, b: 3 }
  for (const name of ['a', 'b']) start(name, async () => void order.push(name), { slots })
  await until(() => order.length === 6)
  assert.deepEqual(order.join(''), 'ababab')
})

const repeat = (organization: string, count: number): string[] => Array.from({ length: count }, () => organization)

test('many tasks of some organizations delay those of another by one task of each', async () => {
  const order: string[] = []
  waitingOrganizations = [...repeat('a', 50), ...repeat('b', 50), 'c']
  const run: TaskDefinition['run'] = async (data) => {
    order.push((data as { organization_id: string }).organization_id)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  start('work', run)
  await until(() => order.includes('c'))
  assert.deepEqual(order, ['a', 'b', 'c'])
})

test('endless tasks of one organization leave those of others their slots', async () => {
  const running: string[] = []
  waitingOrganizations = [...repeat('a', 50), 'b', 'c']
  const run: TaskDefinition['run'] = async (data, signal) => {
    running.push((data as { organization_id: string }).organization_id)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  start('work', run, { slots: createTaskSlots(2, 2, { long_after_ms: 10 }) })
  await until(() => running.length === 4)
  assert.deepEqual(running.toSorted(), ['a', 'a', 'b', 'c'])
})
