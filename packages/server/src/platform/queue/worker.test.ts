import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Job, PgBoss } from 'pg-boss'
import type { TaskKind } from './queue.ts'
import { openSlots } from './slots.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

/** What was written to the database, in order; the first `failuresLeft` writes fail. */
let written: string[] = []
let refusals = 0
let waiting: Record<string, number> = {}
let workers: Worker[] = []

const write = async (what: string): Promise<never[]> => {
  if (refusals > 0) {
    refusals -= 1
    throw new Error('the database is away')
  }
  written.push(what)
  return []
}

/** A fake pg-boss with the methods that a worker uses, over a number of waiting tasks of each definition. */
const boss = {
  fetch: async (task: string, { batchSize }: { batchSize: number }) => {
    const count = Math.min(waiting[task] ?? 0, batchSize)
    waiting[task] = (waiting[task] ?? 0) - count
    return Array.from({ length: count }, () => ({ id: task, name: task, data: {}, retryCount: 0 }) as Job<object>)
  },
  complete: (task: string) => write(`complete ${task}`),
  fail: (task: string) => write(`fail ${task}`),
  touch: async () => undefined,
} as unknown as PgBoss

const start = (name: string, run: TaskKind['run'], options: Partial<WorkerOptions> = {}): Worker => {
  const kind: TaskKind = { name, run, retry: { limit: 0, delay_s: 0, backoff: false, expire_s: 60 } }
  const giveBack = async (task: string): Promise<void> => void (await write(`requeue ${task}`))
  const given = { slots: openSlots(1, 1), alive_ms: 60_000, log: undefined, giveBack, ...options }
  const worker = startWorker(boss, kind, given)
  workers.push(worker)
  return worker
}

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)))
  ;[written, refusals, waiting, workers] = [[], 0, {}, []]
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
  refusals = 2
  start('work', async () => void (ran += 1))
  await until(() => written.length > 0)
  assert.deepEqual([written, ran], [['complete work'], 1])
})

test('a failure that cannot be written is retried', async () => {
  waiting = { work: 1 }
  refusals = 2
  start('work', () => Promise.reject(new Error('no')))
  await until(() => written.length > 0)
  assert.deepEqual(written, ['fail work'])
})

test('stop does not wait for an unavailable database', async () => {
  let done = false
  waiting = { work: 1 }
  refusals = Number.POSITIVE_INFINITY
  const worker = start('work', async () => void (done = true))
  await until(() => done)
  const begin_ms = performance.now()
  await worker.stop(60_000)
  assert.deepEqual(written, [])
  assert.ok(performance.now() - begin_ms < 10_000)
})

test('all task definitions share the slots, and none gets all of them', async () => {
  const now = new Map<string, number>()
  let most = 0
  const slots = openSlots(3, 3)
  const hanging = (name: string) => async (_data: unknown, signal: AbortSignal) => {
    now.set(name, (now.get(name) ?? 0) + 1)
    most = Math.max(
      most,
      [...now.values()].reduce((sum, count) => sum + count, 0),
    )
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  let quick = 0
  waiting = { slow: 50, quick: 20, other: 0 }
  start('slow', hanging('slow'), { slots })
  await until(() => now.get('slow') === 2)
  start('quick', async () => void (quick += 1), { slots })
  start('other', hanging('other'), { slots })
  await until(() => quick === 20)
  assert.deepEqual([now.get('slow'), most], [2, 2])
})

test('busy task definitions alternate', async () => {
  const order: string[] = []
  const slots = openSlots(1, 2)
  waiting = { a: 3, b: 3 }
  for (const name of ['a', 'b']) start(name, async () => void order.push(name), { slots })
  await until(() => order.length === 6)
  assert.deepEqual(order.join(''), 'ababab')
})
