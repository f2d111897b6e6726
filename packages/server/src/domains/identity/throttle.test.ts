import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Problem } from '../../engine/problem.ts'
import { manualClock } from '../../platform/clock.ts'
import { makeThrottle, type Circle, type Counted } from './throttle.ts'

const account = (name: string, failures = 3): Counted => ({ name, allowance: { failures, window_ms: 60_000 } })
const start = new Date('2026-01-01T00:00:00Z')
const failing = async () => ({ failed: true, value: 'no' })
const fitting = async () => ({ failed: false, value: 'yes' })
const limited = (retry_after_s: number) => (error: unknown) => {
  assert.ok(error instanceof Problem)
  assert.equal(error.problem, 'rate-limited')
  assert.equal(error.extra['retry_after_s'], retry_after_s)
  return true
}

test('after the allowed failures nothing is tried until the window is over', async () => {
  const clock = manualClock(start)
  const throttle = makeThrottle(clock)
  for (let count = 0; count < 3; count += 1) await throttle.attempt([account('a')], failing)
  clock.advance(20_000)
  let tried = false
  const attempt = throttle.attempt([account('a')], async () => {
    tried = true
    return fitting()
  })
  await assert.rejects(attempt, limited(40))
  assert.equal(tried, false, 'the right password tells nothing either')
  assert.equal(await throttle.attempt([account('b')], fitting), 'yes', 'other accounts go on')
  clock.advance(40_000)
  assert.equal(await throttle.attempt([account('a')], fitting), 'yes')
})

test('successes are free, and any of several names can be used up', async () => {
  const throttle = makeThrottle(manualClock(start))
  for (let count = 0; count < 20; count += 1) await throttle.attempt([account('a')], fitting)
  for (const name of ['x', 'y', 'z']) await throttle.attempt([account('address'), account(name)], failing)
  await assert.rejects(throttle.attempt([account('address'), account('w')], fitting), limited(60))
  assert.equal(await throttle.attempt([account('w')], fitting), 'yes')
})

test('many attempts at once gain nothing', async () => {
  const throttle = makeThrottle(manualClock(start))
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
})

test('many right attempts at once all pass, also when one of them throws', async () => {
  const throttle = makeThrottle(manualClock(start))
  const attempts = Array.from({ length: 20 }, (_, index) =>
    throttle.attempt([account('a')], async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (index === 4) throw new Error('the database is gone')
      return fitting()
    }),
  )
  const outcomes = await Promise.allSettled(attempts)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 19)
})

test('zero failures means no limit', async () => {
  const throttle = makeThrottle(manualClock(start))
  for (let count = 0; count < 100; count += 1) await throttle.attempt([account('a', 0)], failing)
  assert.equal(await throttle.attempt([account('a', 0)], fitting), 'yes')
})

test('a circle whose failures are used up leaves every name its first tries, and only those', async () => {
  const clock = manualClock(start)
  const throttle = makeThrottle(clock)
  const within: Circle = { name: 'all', allowance: { failures: 6, window_ms: 60_000 }, strained_failures: 1 }
  const pair = (name: string): Counted => ({ ...account(name), within })
  for (const name of ['a', 'a', 'a', 'b', 'b']) await throttle.attempt([pair(name)], failing)
  assert.equal(await throttle.attempt([pair('b')], fitting), 'yes', 'not strained yet')
  await throttle.attempt([pair('c')], failing)
  await assert.rejects(throttle.attempt([pair('b')], fitting), limited(60))
  await assert.rejects(throttle.attempt([pair('c')], fitting), limited(60))
  assert.equal(await throttle.attempt([pair('owner')], fitting), 'yes')
  await throttle.attempt([pair('d')], failing)
  await assert.rejects(throttle.attempt([pair('d')], fitting), limited(60))
  clock.advance(60_000)
  for (const name of ['b', 'd']) assert.equal(await throttle.attempt([pair(name)], fitting), 'yes')
})
