import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectMode, planEntries } from './planned-entries.ts'

test('every way to pay reserves the price first and takes it from the same place to which the rest returns', () => {
  for (const mode of ['credit', 'card', 'enterprise'] as const) {
    const [reserve, capture, giveBack] = planEntries(mode, 700)
    assert.equal(reserve!.when, 'now')
    assert.equal(capture!.from, reserve!.to)
    assert.equal(giveBack!.from, reserve!.to)
    assert.equal(giveBack!.to, reserve!.from)
  }
})

test('a free order writes nothing', () => assert.deepEqual(planEntries('credit', 0), []))

test('a card pays only on the free plan, for what the wallet lacks and a card accepts', () => {
  const free = { isEnterprise: false, plan: 'free', hasCard: true, available_credits: 10, price_credits: 50 }
  assert.equal(expectMode(free), 'card')
  assert.equal(expectMode({ ...free, isEnterprise: true }), 'enterprise')
  for (const change of [{ plan: 'prepaid' }, { hasCard: false }, { price_credits: 49 }, { available_credits: 50 }])
    assert.equal(expectMode({ ...free, ...change }), 'credit', JSON.stringify(change))
})
