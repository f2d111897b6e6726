import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createFairQueue, type FairQueue, type WorkOwner } from './fair-queue.ts'
import { Problem } from './problem.ts'

const queueOf = (max_running: number, max_waiting = 5000, max_waiting_per_organization = 2000): FairQueue =>
  createFairQueue({ subject: 'images', max_running, max_waiting, max_waiting_per_organization })

/** Work that the test finishes by hand, in the order in which it started. */
function manualWork(queue: FairQueue) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    begun,
    ask: (name: string, owner: WorkOwner, signal?: AbortSignal): Promise<string> =>
      queue.run(
        owner,
        () => {
          begun.push(name)
          return new Promise((resolve) => ends.push(() => resolve(name)))
        },
        signal,
      ),
    settled,
    endFirst: async (): Promise<void> => {
      ends.shift()!()
      await settled()
    },
  }
}

const refusal = (name: string) => (error: unknown) =>
  error instanceof Problem && error.problem === name && Number(error.extra['retry_after_s']) >= 1

for (const workers of [1, 4]) {
  test(`1000 jobs of one organization delay another organization by at most one job per worker (${workers})`, async () => {
    const { ask, begun, endFirst, settled } = manualWork(queueOf(workers))
    for (let job = 0; job < 1000; job++) void ask(`many ${job}`, { organization: 'many' })
    await settled()
    assert.equal(begun.length, workers)
    void ask('one', { organization: 'one' })
    await settled()
    await endFirst()
    assert.ok(begun.indexOf('one') >= 0 && begun.indexOf('one') <= workers, begun.join())
  })
}

test('an organization gets a quarter of the slots while others are active, and all of them when it is alone', async () => {
  let now = 0
  const limits = { max_running: 8, max_waiting: 100, max_waiting_per_organization: 100 }
  const { ask, begun, endFirst, settled } = manualWork(
    createFairQueue({ subject: 'images', ...limits, now_ms: () => now }),
  )
  void ask('one', { organization: 'one' })
  await settled()
  await endFirst()
  for (let job = 0; job < 12; job++) void ask(`many ${job}`, { organization: 'many' })
  await settled()
  assert.deepEqual(begun, ['one', 'many 0', 'many 1'])
  void ask('two', { organization: 'one' })
  await settled()
  assert.equal(begun.at(-1), 'two', 'a slot is free at once')
  now += 2001
  await endFirst()
  assert.equal(begun.length, 10, 'six more start beside the running ones')
})

test('organizations take turns, and the jobs of each keep their order', async () => {
  const { ask, begun, endFirst, settled } = manualWork(queueOf(1))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void ask(name, { organization: name[0]! })
  await settled()
  for (let job = 0; job < 5; job++) await endFirst()
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('rejects with rate-limited if the queue of the organization is full, with unavailable if the whole queue is', async () => {
  const { ask, settled } = manualWork(queueOf(1, 3, 2))
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name, { organization: name[0]! })
  await settled()
  await assert.rejects(ask('a4', { organization: 'a' }), refusal('rate-limited'))
  await assert.rejects(ask('c1', { organization: 'c' }), refusal('unavailable'))
  void ask('task', { organization: 'a', background: true })
})

test('an aborted job leaves the queue and frees its place', async () => {
  const { ask, begun, endFirst, settled } = manualWork(queueOf(1, 10, 1))
  void ask('a1', { organization: 'a' })
  const caller = new AbortController()
  const waiting = ask('a2', { organization: 'a' }, caller.signal)
  const reason = new Error('gone')
  caller.abort(reason)
  await assert.rejects(waiting, reason)
  void ask('a3', { organization: 'a' })
  await settled()
  await endFirst()
  assert.deepEqual(begun, ['a1', 'a3'])
  await assert.rejects(ask('a4', { organization: 'a' }, caller.signal), reason)
})

test('a job that fails releases its slot', async () => {
  const queue = queueOf(1)
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
  const passOne = async (took_ms: number): Promise<void> => {
    now += took_ms
    await work.endFirst()
  }
  return { ...work, passOne }
}

test('rejects a job at once when its expected wait exceeds the maximum, by the mean duration of recent jobs', async (t) => {
  const { ask, begun, passOne, settled } = boundedWait(t, 1, 1000)
  void ask('opens threads', { organization: 'a' })
  await settled()
  await passOne(60_000)
  void ask('a0', { organization: 'a' })
  await settled()
  await passOne(300)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, { organization: 'a' })
  await settled()
  // Three jobs wait, which is 900 ms; one more would wait 1200 ms.
  await assert.rejects(ask('a5', { organization: 'a' }), refusal('rate-limited'))
  void ask('b1', { organization: 'b' })
  void ask('task', { organization: 'a', background: true })
  await passOne(300)
  assert.equal(begun.at(-1), 'b1', 'another organization is next and waits only for the running job')
})

test('rejects with unavailable when other organizations cause the wait', async (t) => {
  const { ask, passOne, settled } = boundedWait(t, 1, 1000)
  void ask('opens threads', { organization: 'a' })
  await settled()
  await passOne(60_000)
  void ask('a0', { organization: 'a' })
  await settled()
  await passOne(600)
  void ask('a1', { organization: 'a' })
  void ask('b1', { organization: 'b' })
  await settled()
  await assert.rejects(ask('c1', { organization: 'c' }), refusal('unavailable'))
})

test('rejects a waiting job after the maximum waiting time, whatever wait was expected; background jobs wait on', async (t) => {
  const { ask, begun, endFirst, settled } = boundedWait(t, 1, 1000)
  void ask('a1', { organization: 'a' })
  const late = assert.rejects(ask('a2', { organization: 'a' }), refusal('rate-limited'))
  const task = ask('task', { organization: 'a', background: true })
  await settled()
  t.mock.timers.tick(1000)
  await late
  await endFirst()
  assert.deepEqual(begun, ['a1', 'task'])
  await endFirst()
  await task
})
