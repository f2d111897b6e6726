import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargesByDay } from './charges-by-day.ts'

const entry = (created_at: string, reason: string, amount_credits: number) => ({ created_at, reason, amount_credits })

test('charges are summed by day, and days without a charge are zero', () => {
  const { x, credits } = chargesByDay([
    entry('2026-03-04T23:59:59Z', 'capture', -300),
    entry('2026-03-04T00:00:00Z', 'capture', -20),
    entry('2026-03-03T12:00:00Z', 'hold', -320),
    entry('2026-03-02T12:00:00Z', 'accrue', 7),
    entry('2026-03-01T12:00:00Z', 'purchase', 1000),
  ])
  assert.deepEqual(
    x.map((day) => new Date(day).toISOString().slice(0, 10)),
    ['2026-03-02', '2026-03-03', '2026-03-04'],
  )
  assert.deepEqual(credits, [7, 0, 320])
  assert.deepEqual(chargesByDay([entry('2026-03-01T12:00:00Z', 'purchase', 1000)]), { x: [], credits: [] })
})
