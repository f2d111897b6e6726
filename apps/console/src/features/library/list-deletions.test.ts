import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDeletions } from './list-deletions.ts'

const event = (entity_id: string, timestamp: string, data: Record<string, unknown> = {}) => ({
  event_id: `${entity_id} ${timestamp}`,
  event_type: 'item.deleted',
  organization_id: 'o',
  entity_type: 'item',
  entity_id,
  timestamp,
  data,
})

test('each item is listed once, with its last deletion', () => {
  const events = [
    event('a', '2026-03-09T00:00:00.000Z', { name: 'scene', type: 'clip' }),
    event('b', '2026-03-08T00:00:00.000Z'),
    event('a', '2026-03-01T00:00:00.000Z'),
  ]
  assert.deepEqual(listDeletions(events, Date.parse('2026-03-10T00:00:00Z')), [
    { item_id: 'a', name: 'scene', type: 'clip', until: '2026-04-08T00:00:00.000Z' },
    { item_id: 'b', name: 'b', type: null, until: '2026-04-07T00:00:00.000Z' },
  ])
})

test('items that can no longer be restored are left out', () => {
  const events = [event('a', '2026-01-01T00:00:00.000Z')]
  assert.deepEqual(listDeletions(events, Date.parse('2026-01-31T00:00:00Z')), [])
})
