import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createFairQueue, type FairQueue, type FairQueueOwner } from './fair-queue.ts'
import { Problem } from './problem.ts'

const createQueue = (max_running: number, max_waiting = 5000, max_waiting_per_organization = 2000): FairQueue =>
  createFairQueue({ subject: 'images', max_running, max_waiting, max_waiting_per_organization })

/** Work that the test finishes by hand, in the order in which it started. */
function manualWork(queue: FairQueue) {
  const started: string[] = []
  const finishers: (() => void)[] = []
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    started,
    enqueue: (name: string, owner: FairQueueOwner, signal?: AbortSignal): Promise<string> =>
      queue.run(
        owner,
        () => {
          started.push(name)
          return new Promise((resolve) => finishers.push(() => resolve(name)))
        },
        signal,
      ),
    settled,
    finishFirst: async (): Promise<void> => {
      finishers.shift()!()
      await settled()
    },
  }
}

const isProblem = (name: string) => (error: unknown) =>
  error instanceof Problem && error.problem === name && Number(error.extra['retry_after_s']) >= 1

for (const workers of [1, 4]) {
  test(`1000 jobs of one organization delay another organization by at most one job per worker (${workers})`, async () => {
    const { enqueue, started, finishFirst, settled } = manualWork(createQueue(workers))
    for (let job = 0; job < 1000; job++) void enqueue(`many ${job}`, { organization: 'many' })
    await settled()
    assert.equal(started.length, workers)
    void enqueue('one', { organization: 'one' })
    await settled()
    await finishFirst()
    assert.ok(started.indexOf('one') >= 0 && started.indexOf('one') <= workers, started.join())
  })
}

test('an organization gets a quarter of the slots while others are active, and all of them when it is alone', async () => {
  let now = 0
  const limits = { max_running: 8, max_waiting: 100, max_waiting_per_organization: 100 }
  const { enqueue, started, finishFirst, settled } = manualWork(
    createFairQueue({ subject: 'images', ...limits, now_ms: () => now }),
  )
  void enqueue('one', { organization: 'one' })
  await settled()
  await finishFirst()
  for (let job = 0; job < 12; job++) void enqueue(`many ${job}`, { organization: 'many' })
  await settled()
  assert.deepEqual(started, ['one', 'many 0', 'many 1'])
  void enqueue('two', { organization: 'one' })
  await settled()
  assert.equal(started.at(-1), 'two', 'a slot is free at once')
  now += 2001
  await finishFirst()
  assert.equal(started.length, 10, 'six more start beside the running ones')
})

test('an organization with long jobs may have all slots, and each other one gets an extra slot at once', async () => {
  let now = 0
  const limits = { max_running: 4, extra: 6, max_shared: 2, max_waiting: 100, max_waiting_per_organization: 100 }
  const { enqueue, started, finishFirst, settled } = manualWork(
    createFairQueue({ subject: 'images', ...limits, now_ms: () => now }),
  )
  for (let job = 0; job < 6; job++) void enqueue(`many ${job}`, { organization: 'many' })
  await settled()
  assert.equal(started.length, 4, 'all but the extra ones')
  for (const organization of ['b', 'c', 'd', 'e', 'f', 'g']) {
    for (const job of [1, 2]) void enqueue(`${organization}${job}`, { organization })
    await settled()
    assert.equal(started.at(-1), `${organization}1`, 'one starts at once, and no second')
  }
  assert.equal(started.length, 10)
  void enqueue('h1', { organization: 'h' })
  await settled()
  assert.equal(started.length, 10, 'the extra ones are bounded')
  await finishFirst()
  assert.equal(started.at(-1), 'h1', 'before those of organizations that run something')
})

test('slots that are kept for recent callers are given to those that wait, without another job that ends', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const limits = { max_running: 4, extra: 4, max_waiting: 100, max_waiting_per_organization: 100 }
  const { enqueue, started, finishFirst, settled } = manualWork(
    createFairQueue({ subject: 'images', ...limits, now_ms: () => now }),
  )
  void enqueue('recent', { organization: 'recent' })
  await settled()
  await finishFirst()
  for (let job = 0; job < 4; job++) void enqueue(`many ${job}`, { organization: 'many', background: true })
  await settled()
  assert.deepEqual(started, ['recent', 'many 0'])
  now += 2001
  t.mock.timers.tick(2001)
  await settled()
  assert.equal(started.length, 5)
})

test('organizations take turns, and the jobs of each keep their order', async () => {
  const { enqueue, started, finishFirst, settled } = manualWork(createQueue(1))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void enqueue(name, { organization: name[0]! })
  await settled()
  for (let job = 0; job < 5; job++) await finishFirst()
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('rejects with rate-limited if the queue of the organization is full, with unavailable if the whole queue is', async () => {
  const { enqueue, settled } = manualWork(createQueue(1, 3, 2))
  for (const name of ['a1', 'a2', 'a3', 'b1']) void enqueue(name, { organization: name[0]! })
  await settled()
  await assert.rejects(enqueue('a4', { organization: 'a' }), isProblem('rate-limited'))
  await assert.rejects(enqueue('c1', { organization: 'c' }), isProblem('unavailable'))
  void enqueue('task', { organization: 'a', background: true })
})

test('an aborted job leaves the queue and frees its place', async () => {
  const { enqueue, started, finishFirst, settled } = manualWork(createQueue(1, 10, 1))
  void enqueue('a1', { organization: 'a' })
  const caller = new AbortController()
  const waiting = enqueue('a2', { organization: 'a' }, caller.signal)
  const reason = new Error('gone')
  caller.abort(reason)
  await assert.rejects(waiting, reason)
  void enqueue('a3', { organization: 'a' })
  await settled()
  await finishFirst()
  assert.deepEqual(started, ['a1', 'a3'])
  await assert.rejects(enqueue('a4', { organization: 'a' }, caller.signal), reason)
})

test('a job that fails releases its slot', async () => {
  const queue = createQueue(1)
  const failing = queue.run({ organization: 'a' }, () => Promise.reject(new Error('broken')))
  const next = queue.run({ organization: 'a' }, async () => 'done')
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})

/** A queue with a maximum waiting time, whose jobs take as long as the test says. */
function boundedWait(t: TestContext, max_running: number, max_wait_ms: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const limits = { max_running, max_waiting: 5000, max_waiting_per_organization: 2000, max_wait_ms }
  const work = manualWork(createFairQueue({ subject: 'images', ...limits, now_ms: () => now }))
  const finishFirstAfter = async (duration_ms: number): Promise<void> => {
    now += duration_ms
    await work.finishFirst()
  }
  return { ...work, finishFirstAfter }
}

test('rejects a job at once when its expected wait exceeds the maximum, by the mean duration of recent jobs', async (t) => {
  const { enqueue, started, finishFirstAfter, settled } = boundedWait(t, 1, 1000)
  void enqueue('opens threads', { organization: 'a' })
  await settled()
  await finishFirstAfter(60_000)
  void enqueue('a0', { organization: 'a' })
  await settled()
  await finishFirstAfter(300)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enqueue(name, { organization: 'a' })
  await settled()
  // Three jobs wait, which is 900 ms; one more would wait 1200 ms.
  await assert.rejects(enqueue('a5', { organization: 'a' }), isProblem('rate-limited'))
  void enqueue('b1', { organization: 'b' })
  void enqueue('task', { organization: 'a', background: true })
  await finishFirstAfter(300)
  assert.equal(started.at(-1), 'b1', 'another organization is next and waits only for the running job')
})

test('rejects with unavailable when other organizations cause the wait', async (t) => {
  const { enqueue, finishFirstAfter, settled } = boundedWait(t, 1, 1000)
  void enqueue('opens threads', { organization: 'a' })
  await settled()
  await finishFirstAfter(60_000)
  void enqueue('a0', { organization: 'a' })
  await settled()
  await finishFirstAfter(600)
  void enqueue('a1', { organization: 'a' })
  void enqueue('b1', { organization: 'b' })
  await settled()
  await assert.rejects(enqueue('c1', { organization: 'c' }), isProblem('unavailable'))
})

test('rejects a waiting job after the maximum waiting time, whatever wait was expected; background jobs wait on', async (t) => {
  const { enqueue, started, finishFirst, settled } = boundedWait(t, 1, 1000)
  void enqueue('a1', { organization: 'a' })
  const timedOut = assert.rejects(enqueue('a2', { organization: 'a' }), isProblem('rate-limited'))
  const task = enqueue('task', { organization: 'a', background: true })
  await settled()
  t.mock.timers.tick(1000)
  await timedOut
  await finishFirst()
  assert.deepEqual(started, ['a1', 'task'])
  await finishFirst()
  await task
})
