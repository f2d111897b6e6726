import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceSteps } from './balance-steps.ts'

test('the balance holds until the next movement', () => {
  const [a, b] = ['2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z']
  const { x, credits } = balanceSteps([
    { created_at: b, balance_after_credits: 40 },
    { created_at: a, balance_after_credits: 100 },
  ])
  assert.deepEqual(x, [Date.parse(a), Date.parse(b), Date.parse(b)])
  assert.deepEqual(credits, [100, 100, 40])
  assert.deepEqual(balanceSteps([]), { x: [], credits: [] })
})
