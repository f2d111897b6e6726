import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareCounts } from './compare-counts.ts'

const answered = (at_ms: number, isError = false) => ({ operation: 'items.get', answer: { at_ms, isError } })
const count = (call_count: number, failed_call_count = 0) => [{ operation: 'items.get', call_count, failed_call_count }]
const noKills = { kills_ms: [], interval_ms: 10 }

test('without a kill every answered call is counted, and no other', () => {
  const calls = [answered(1), answered(2, true), { operation: 'items.get', answer: null }]
  assert.deepEqual(compareCounts(calls, count(2, 1), noKills), { lost: 0, violations: [] })
  assert.equal(compareCounts(calls, count(1, 1), noKills).violations.length, 1, 'one is missing')
  assert.equal(compareCounts(calls, count(4, 1), noKills).violations.length, 1, 'more than were forwarded')
  assert.equal(compareCounts(calls, count(2, 0), noKills).violations.length, 1, 'the failed one')
  assert.equal(compareCounts(calls, [], noKills).violations.length, 2)
})

test('only calls within the interval before a kill may be lost', () => {
  const calls = [answered(80), answered(95), answered(101)]
  const bound = { kills_ms: [100], interval_ms: 10 }
  assert.deepEqual(compareCounts(calls, count(2), bound), { lost: 1, violations: [] })
  assert.equal(compareCounts(calls, count(1), bound).violations.length, 1)
})
