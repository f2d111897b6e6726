import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { Problem } from '../../engine/problem.ts'
import { createManualClock } from '../../platform/clock.ts'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { createRateLimiter } from '../../platform/rate-limits/limiter.ts'
import {
  createFailureThrottle,
  type SharedFailureBucket,
  type FailureBucket,
  type FailureThrottle,
} from './failure-throttle.ts'

const start = new Date('2026-01-01T00:00:00Z')
let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

/** The throttles of several processes, with their own subjects. */
function createProcesses(count: number) {
  const clock = createManualClock(start)
  const prefix = newId()
  const limiters = Array.from({ length: count }, () => createRateLimiter({ db: database.unscoped, clock }))
  return {
    clock,
    throttles: limiters.map(createFailureThrottle),
    account: (name: string, failures = 3): FailureBucket => ({
      name: 'test',
      subject: `${prefix} ${name}`,
      allowance: { failures, window_ms: 60_000 },
    }),
    close: async (): Promise<void> => {
      for (const limiter of limiters) await limiter.close()
    },
  }
}

function createProcess() {
  const { throttles, ...rest } = createProcesses(1)
  return { ...rest, throttle: throttles[0] as FailureThrottle }
}

const failing = async () => ({ failed: true, value: 'no' })
const succeeding = async () => ({ failed: false, value: 'yes' })
const limited = (retry_after_s: number) => (error: unknown) => {
  assert.ok(error instanceof Problem)
  assert.equal(error.problem, 'rate-limited')
  assert.equal(error.extra['retry_after_s'], retry_after_s)
  return true
}

test('after the allowed failures no attempt runs until the window ends', async () => {
  const { throttle, account: accountBucket, clock, close } = createProcess()
  for (let count = 0; count < 3; count += 1) await throttle.attempt([accountBucket('a')], failing)
  clock.advance(20_000)
  let hasRun = false
  const attempt = throttle.attempt([accountBucket('a')], async () => {
    hasRun = true
    return succeeding()
  })
  await assert.rejects(attempt, limited(43))
  assert.equal(hasRun, false, 'the right password is not tried either')
  assert.equal(await throttle.attempt([accountBucket('b')], succeeding), 'yes', 'other accounts are not limited')
  clock.advance(43_000)
  assert.equal(await throttle.attempt([accountBucket('a')], succeeding), 'yes')
  await close()
})

test('successes are not counted, and each bucket of an attempt limits it', async () => {
  const { throttle, account: accountBucket, close } = createProcess()
  for (let count = 0; count < 20; count += 1) await throttle.attempt([accountBucket('a')], succeeding)
  for (const name of ['x', 'y', 'z']) await throttle.attempt([accountBucket('address'), accountBucket(name)], failing)
  await assert.rejects(throttle.attempt([accountBucket('address'), accountBucket('w')], succeeding), limited(63))
  assert.equal(await throttle.attempt([accountBucket('w')], succeeding), 'yes')
  await close()
})

test('concurrent failing attempts do not exceed the limit', async () => {
  const { throttle, account: accountBucket, close } = createProcess()
  let hasRun = 0
  const attempts = Array.from({ length: 50 }, () =>
    throttle.attempt([accountBucket('a')], async () => {
      hasRun += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      return failing()
    }),
  )
  const outcomes = await Promise.allSettled(attempts)
  assert.equal(hasRun, 3)
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 47)
  await close()
})

test('concurrent successful attempts all pass, also if one of them throws', async () => {
  const { throttle, account: accountBucket, close } = createProcess()
  const attempts = Array.from({ length: 20 }, (_, index) =>
    throttle.attempt([accountBucket('a')], async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (index === 4) throw new Error('the database is gone')
      return succeeding()
    }),
  )
  const outcomes = await Promise.allSettled(attempts)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 19)
  await close()
})

test('a limit of zero failures means unlimited', async () => {
  const { throttle, account: accountBucket, close } = createProcess()
  for (let count = 0; count < 100; count += 1) await throttle.attempt([accountBucket('a', 0)], failing)
  assert.equal(await throttle.attempt([accountBucket('a', 0)], succeeding), 'yes')
  await close()
})

test('failures count across processes', async () => {
  const { throttles, account: accountBucket, close } = createProcesses(2)
  const [first, second] = throttles as [FailureThrottle, FailureThrottle]
  await first.attempt([accountBucket('a')], failing)
  await second.attempt([accountBucket('a')], failing)
  await first.attempt([accountBucket('a')], failing)
  for (const throttle of throttles)
    await assert.rejects(throttle.attempt([accountBucket('a')], succeeding), limited(63))
  await close()
})

test('a shared bucket that is used up leaves each subject its first attempts only', async () => {
  const { throttle, account: accountBucket, clock, close } = createProcess()
  const within: SharedFailureBucket = {
    name: 'all',
    subject: newId(),
    allowance: { failures: 6, window_ms: 60_000 },
    failures_while_attacked: 1,
  }
  const pairBucket = (name: string): FailureBucket => ({ ...accountBucket(name), within })
  for (const name of ['a', 'a', 'a', 'b', 'b']) await throttle.attempt([pairBucket(name)], failing)
  assert.equal(await throttle.attempt([pairBucket('b')], succeeding), 'yes', 'the shared bucket is not used up yet')
  await throttle.attempt([pairBucket('c')], failing)
  await assert.rejects(throttle.attempt([pairBucket('b')], succeeding), limited(63))
  await assert.rejects(throttle.attempt([pairBucket('c')], succeeding), limited(63))
  assert.equal(await throttle.attempt([pairBucket('owner')], succeeding), 'yes')
  await throttle.attempt([pairBucket('d')], failing)
  await assert.rejects(throttle.attempt([pairBucket('d')], succeeding), limited(63))
  clock.advance(63_000)
  for (const name of ['b', 'd']) assert.equal(await throttle.attempt([pairBucket(name)], succeeding), 'yes')
  await close()
})
