import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStaleReads } from './stale-reads.ts'

test('events of several kinds make each read stale once, and the list of events as well', () => {
  const reads = findStaleReads(['quotation.requested', 'tasking.progressed', 'quotation.accepted'])
  for (const read of ['orders.tasking.decisions.pending', 'orders.timeline', 'users.me', 'events.list'] as const)
    assert.ok(reads.has(read), read)
  assert.ok(!reads.has('uploads.list'))
})

test('an unknown kind changes the list of events only, and no event changes nothing', () => {
  assert.deepEqual([...findStaleReads(['weather.changed'])], ['events.list'])
  assert.deepEqual([...findStaleReads([])], [])
})
