import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFreshEvents } from './fresh-events.ts'

const event = (event_id: string, second: number) => ({
  event_id,
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
})
const ids = (events: readonly { event_id: string }[]): string[] => events.map(({ event_id }) => event_id)

test('in the first answer only the newest events are fresh', () => {
  assert.deepEqual(ids(findFreshEvents([event('c', 30), event('b', 27), event('a', 10)])), ['c', 'b'])
  assert.deepEqual(findFreshEvents([]), [])
})
