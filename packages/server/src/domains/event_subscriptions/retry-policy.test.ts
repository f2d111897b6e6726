import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { createManualClock } from '../../platform/clock.ts'
import {
  computeWebhookEndpointHold_ms,
  max_deliveries_in_progress_per_organization,
  computeMaxConcurrentEventDeliveries,
  computeNextAttemptAt,
  parseRetryAfter,
} from './retry-policy.ts'

test('the endpoints of an organization can never be kept waiting by others that respond slowly', () => {
  for (let subscriptions = 1; subscriptions <= limits.max_event_subscriptions; subscriptions += 1) {
    const max = computeMaxConcurrentEventDeliveries(subscriptions)
    assert.ok(max >= 1 && max <= 10)
    assert.ok(max * subscriptions <= max_deliveries_in_progress_per_organization)
  }
  assert.deepEqual([0, 1, 51, 52, 200, 10_000].map(computeMaxConcurrentEventDeliveries), [10, 10, 10, 9, 2, 1])
})

test('Retry-After is a number of seconds or a date, at most a day, and anything else is ignored', () => {
  const now = new Date('2026-03-01T00:00:00.000Z')
  const day_ms = 86_400_000
  for (const [header, pause_ms] of [
    [undefined, null],
    ['120', 120_000],
    [' 0 ', 0],
    ['999999999', day_ms],
    ['Sun, 01 Mar 2026 00:02:00 GMT', 120_000],
    ['Sun, 01 Mar 2020 00:00:00 GMT', 0],
    ['Sun, 01 Mar 2037 00:00:00 GMT', day_ms],
    ['soon', null],
  ] as const)
    assert.equal(parseRetryAfter(header, now), pause_ms, header)
})

test('an endpoint is held after five outages, twice as long after each probe that fails, up to the maximum', () => {
  const policy = { hold_s: [15, 900] } as const
  const held_s = [0, 4, 5, 6, 7, 10, 11, 12, 1000].map(
    (outages) => computeWebhookEndpointHold_ms(policy, outages) / 1000,
  )
  assert.deepEqual(held_s, [0, 0, 15, 30, 60, 480, 900, 900, 900])
})

test('attempts follow the schedule, each up to a fifth later, and not before the pause that an endpoint asks for', () => {
  const policy = { retry_delays_s: [0, 5, 300], hold_s: [15, 900], timeout_ms: 10_000 } as const
  const now = createManualClock(new Date('2026-03-01T00:00:00.000Z')).forOrganization('any').now()
  const delayAfter = (attempts: number, pause_ms: number | null): number =>
    computeNextAttemptAt(policy, attempts, now, pause_ms)!.getTime() - now.getTime()
  for (let draw = 0; draw < 200; draw += 1) {
    assert.ok(delayAfter(1, null) >= 5000 && delayAfter(1, null) <= 6000)
    assert.ok(delayAfter(2, null) >= 300_000 && delayAfter(2, null) <= 360_000)
  }
  assert.ok(new Set(Array.from({ length: 20 }, () => delayAfter(2, null))).size > 1)
  assert.equal(delayAfter(1, 60_000), 60_000)
  assert.equal(computeNextAttemptAt(policy, 3, now, 60_000), null)
})
