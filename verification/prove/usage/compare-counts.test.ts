import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareCounts } from './compare-counts.ts'

const answered = (at_ms: number, isError = false) => ({ operation: 'items.get', answer: { at_ms, isError } })
const count = (call_count: number, failed_call_count = 0) => [{ operation: 'items.get', call_count, failed_call_count }]

test('without a kill every answered call is counted, and no other', () => {
  const calls = [answered(1), answered(2, true), { operation: 'items.get', answer: null }]
  assert.deepEqual(compareCounts(calls, count(2, 1), []), { lost: 0, violations: [] })
  assert.equal(compareCounts(calls, count(1, 1), []).violations.length, 1, 'one is missing')
  assert.equal(compareCounts(calls, count(4, 1), []).violations.length, 1, 'more than were forwarded')
  assert.equal(compareCounts(calls, count(2, 0), []).violations.length, 1, 'the failed one')
  assert.equal(compareCounts(calls, [], []).violations.length, 2)
})

test('only calls between the last write and a kill may be lost', () => {
  const calls = [answered(80), answered(95), answered(101)]
  const periods = [{ from_ms: 90, to_ms: 100 }]
  assert.deepEqual(compareCounts(calls, count(2), periods), { lost: 1, violations: [] })
  assert.equal(compareCounts(calls, count(1), periods).violations.length, 1)
})
