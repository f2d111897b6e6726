import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toToasts } from './toast-events.ts'

const event = (event_id: string, event_type: string, entity_id: string) => ({
  event_id,
  event_type,
  entity_id,
  entity_type: 'order',
  timestamp: '2026-05-12T10:00:00Z',
  organization_id: 'o',
  data: {},
})

test('deliveries, failures, uploads and alerts become toasts in their order; other changes do not', () => {
  const events = [
    event('5', 'alert.triggered', 'r'),
    event('4', 'upload.completed', 'u'),
    event('3', 'order.placed', 'b'),
    event('2', 'order.failed', 'b'),
    event('1', 'order.fulfilled', 'a'),
  ]
  assert.deepEqual(
    toToasts(events).map(({ id, path, isFailure }) => [id, path, isFailure]),
    [
      ['1', '/orders/a', false],
      ['2', '/orders/b', true],
      ['4', '/library/uploads', false],
      ['5', '/watch', false],
    ],
  )
})
