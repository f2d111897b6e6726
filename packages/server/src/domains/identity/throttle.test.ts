import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { Problem } from '../../engine/problem.ts'
import { manualClock } from '../../platform/clock.ts'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { createRateLimiter } from '../../platform/rate-limits/limiter.ts'
import { makeThrottle, type Circle, type Counted, type Throttle } from './throttle.ts'

const start = new Date('2026-01-01T00:00:00Z')
let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

/** The throttles of several processes, with their own subjects. */
function processes(count: number) {
  const clock = manualClock(start)
  const series = newId()
  const limiters = Array.from({ length: count }, () => createRateLimiter({ db: database.across, clock }))
  return {
    clock,
    throttles: limiters.map(makeThrottle),
    account: (name: string, failures = 3): Counted => ({
      name: 'test',
      subject: `${series} ${name}`,
      allowance: { failures, window_ms: 60_000 },
    }),
    close: async (): Promise<void> => {
      for (const limiter of limiters) await limiter.close()
    },
  }
}

function oneProcess() {
  const { throttles, ...rest } = processes(1)
  return { ...rest, throttle: throttles[0] as Throttle }
}

const failing = async () => ({ failed: true, value: 'no' })
const fitting = async () => ({ failed: false, value: 'yes' })
const limited = (retry_after_s: number) => (error: unknown) => {
  assert.ok(error instanceof Problem)
  assert.equal(error.problem, 'rate-limited')
  assert.equal(error.extra['retry_after_s'], retry_after_s)
  return true
}

test('after the allowed failures no attempt runs until the window ends', async () => {
  const { throttle, account, clock, close } = oneProcess()
  for (let count = 0; count < 3; count += 1) await throttle.attempt([account('a')], failing)
  clock.advance(20_000)
  let tried = false
  const attempt = throttle.attempt([account('a')], async () => {
    tried = true
    return fitting()
  })
  await assert.rejects(attempt, limited(43))
  assert.equal(tried, false, 'the right password is not tried either')
  assert.equal(await throttle.attempt([account('b')], fitting), 'yes', 'other accounts are not limited')
  clock.advance(43_000)
  assert.equal(await throttle.attempt([account('a')], fitting), 'yes')
  await close()
})

test('successes are not counted, and each bucket of an attempt limits it', async () => {
  const { throttle, account, close } = oneProcess()
  for (let count = 0; count < 20; count += 1) await throttle.attempt([account('a')], fitting)
  for (const name of ['x', 'y', 'z']) await throttle.attempt([account('address'), account(name)], failing)
  await assert.rejects(throttle.attempt([account('address'), account('w')], fitting), limited(63))
  assert.equal(await throttle.attempt([account('w')], fitting), 'yes')
  await close()
})

test('concurrent failing attempts do not exceed the limit', async () => {
  const { throttle, account, close } = oneProcess()
  let tried = 0
  const attempts = Array.from({ length: 50 }, () =>
    throttle.attempt([account('a')], async () => {
      tried += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      return failing()
    }),
  )
  const outcomes = await Promise.allSettled(attempts)
  assert.equal(tried, 3)
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 47)
  await close()
})

test('concurrent successful attempts all pass, also if one of them throws', async () => {
  const { throttle, account, close } = oneProcess()
  const attempts = Array.from({ length: 20 }, (_, index) =>
    throttle.attempt([account('a')], async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (index === 4) throw new Error('the database is gone')
      return fitting()
    }),
  )
  const outcomes = await Promise.allSettled(attempts)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 19)
  await close()
})

test('a limit of zero failures means unlimited', async () => {
  const { throttle, account, close } = oneProcess()
  for (let count = 0; count < 100; count += 1) await throttle.attempt([account('a', 0)], failing)
  assert.equal(await throttle.attempt([account('a', 0)], fitting), 'yes')
  await close()
})

test('failures count across processes', async () => {
  const { throttles, account, close } = processes(2)
  const [first, second] = throttles as [Throttle, Throttle]
  await first.attempt([account('a')], failing)
  await second.attempt([account('a')], failing)
  await first.attempt([account('a')], failing)
  for (const throttle of throttles) await assert.rejects(throttle.attempt([account('a')], fitting), limited(63))
  await close()
})

test('a shared bucket that is used up leaves each subject its first attempts only', async () => {
  const { throttle, account, clock, close } = oneProcess()
  const within: Circle = {
    name: 'all',
    subject: newId(),
    allowance: { failures: 6, window_ms: 60_000 },
    strained_failures: 1,
  }
  const pair = (name: string): Counted => ({ ...account(name), within })
  for (const name of ['a', 'a', 'a', 'b', 'b']) await throttle.attempt([pair(name)], failing)
  assert.equal(await throttle.attempt([pair('b')], fitting), 'yes', 'the shared bucket is not used up yet')
  await throttle.attempt([pair('c')], failing)
  await assert.rejects(throttle.attempt([pair('b')], fitting), limited(63))
  await assert.rejects(throttle.attempt([pair('c')], fitting), limited(63))
  assert.equal(await throttle.attempt([pair('owner')], fitting), 'yes')
  await throttle.attempt([pair('d')], failing)
  await assert.rejects(throttle.attempt([pair('d')], fitting), limited(63))
  clock.advance(63_000)
  for (const name of ['b', 'd']) assert.equal(await throttle.attempt([pair(name)], fitting), 'yes')
  await close()
})
