import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStaleReads, isRetrying } from './stale-reads.ts'

test('events of several kinds make each read stale once, and the list of events as well', () => {
  const reads = findStaleReads(['quotation.requested', 'tasking.progressed', 'quotation.accepted'])
  for (const read of ['orders.tasking.decisions.pending', 'orders.timeline', 'users.me', 'events.list'] as const)
    assert.ok(reads.has(read), read)
  assert.ok(!reads.has('uploads.list'))
})

test('an alert moves its list and the notifications, and an item does not', () => {
  const reads = findStaleReads(['alert.triggered'])
  for (const read of ['alerts.events.list', 'notifications.list', 'notifications.unread_count'] as const)
    assert.ok(reads.has(read), read)
  assert.ok(!findStaleReads(['item.updated']).has('notifications.list'))
})

test('an unknown kind changes the list of events only, and no event changes nothing', () => {
  assert.deepEqual([...findStaleReads(['weather.changed'])], ['events.list'])
  assert.deepEqual([...findStaleReads([])], [])
})

test('an event does not begin a read again that is repeated after a failure, but one that has failed for good', () => {
  assert.deepEqual(
    [
      { fetchStatus: 'fetching', fetchFailureCount: 1 } as const,
      { fetchStatus: 'fetching', fetchFailureCount: 0 } as const,
      { fetchStatus: 'idle', fetchFailureCount: 3 } as const,
    ].map(isRetrying),
    [true, false, false],
  )
})
