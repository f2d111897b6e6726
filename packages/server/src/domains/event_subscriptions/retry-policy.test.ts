import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { max_in_progress_per_organization, maxConcurrentDeliveries, parseRetryAfter } from './retry-policy.ts'

test('the endpoints of an organization can never be kept waiting by others that respond slowly', () => {
  for (let subscriptions = 1; subscriptions <= limits.max_event_subscriptions; subscriptions += 1) {
    const max = maxConcurrentDeliveries(subscriptions)
    assert.ok(max >= 1 && max <= 10)
    assert.ok(max * subscriptions <= max_in_progress_per_organization)
  }
  assert.deepEqual([1, 51, 52, 200].map(maxConcurrentDeliveries), [10, 10, 9, 2])
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
