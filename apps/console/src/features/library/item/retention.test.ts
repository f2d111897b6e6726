import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remainingRetention } from './retention.ts'

test('full days are counted, and the last week is soon', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  assert.equal(remainingRetention(null, now), null)
  assert.deepEqual(remainingRetention('2026-03-31T12:00:00Z', now), { days: 30, isSoon: false })
  assert.deepEqual(remainingRetention('2026-03-08T12:00:00Z', now), { days: 7, isSoon: true })
  assert.deepEqual(remainingRetention('2026-03-01T13:00:00Z', now), { days: 0, isSoon: true })
  assert.ok(remainingRetention('2026-03-01T11:00:00Z', now)!.days < 0)
})
