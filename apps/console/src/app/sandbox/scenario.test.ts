import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toScenario } from './scenario.ts'

test('a delay is entered in hours and sent in seconds', () => {
  assert.deepEqual(toScenario('host.delay', '12'), { kind: 'host.delay', seconds: 43_200 })
})

test('a scenario without an amount is its kind, and an amount must be a positive integer', () => {
  assert.deepEqual(toScenario('payment.decline', ''), { kind: 'payment.decline' })
  for (const amount of ['', '0', '-1', '1.5', 'two']) assert.equal(toScenario('host.partial_delivery', amount), null)
})

test('disputes end in favour of the seller', () => {
  assert.deepEqual(toScenario('payment.close_disputes', ''), { kind: 'payment.close_disputes', outcome: 'won' })
})
