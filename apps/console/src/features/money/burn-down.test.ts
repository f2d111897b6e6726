import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Commitment } from '@swath/client/operations.ts'
import { burnDown } from './burn-down.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const end = Date.parse('2026-01-11T00:00:00Z')

const deliver = (day: number, amount_aud: number): NonNullable<Commitment['line_items']>[number] => ({
  at: new Date(start + day * day_ms).toISOString(),
  product: 'archive',
  order_id: null,
  quantity: 1,
  unit: 'km2',
  rate_aud: amount_aud,
  amount_aud,
  commitment_id: null,
})

const commitment = {
  period_start: new Date(start).toISOString(),
  period_end: new Date(end).toISOString(),
  committed_aud: 100,
}

test('each delivery is a step, and nothing is drawn after the present', () => {
  const { x, remaining_aud, even_aud } = burnDown(
    { ...commitment, line_items: [deliver(4, 30), deliver(2, 20)] },
    start + 5 * day_ms,
  )
  assert.deepEqual(
    x.map((at) => (at - start) / day_ms),
    [0, 2, 2, 4, 4, 5, 10],
  )
  assert.deepEqual(remaining_aud, [100, 100, 80, 80, 50, 50, null])
  assert.deepEqual([even_aud[0], even_aud[5], even_aud[6]], [100, 50, 0])
})

test('a delivery beyond the commitment leaves nothing, and a period that is over ends at its end', () => {
  const { x, remaining_aud } = burnDown({ ...commitment, line_items: [deliver(3, 130)] }, end + day_ms)
  assert.equal(remaining_aud.at(-1), 0)
  assert.equal(x.at(-1), end)
})
