import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { hasPlayMoneyField, containsMoneyAmount, withPlayMoneyField } from './play-money.ts'
import { operationRegistry } from './registry.ts'

test('every operation whose output shows money states whether it is play money', () => {
  const silent = operationRegistry
    .filter(({ output }) => containsMoneyAmount(output) && !hasPlayMoneyField(output))
    .map(({ id }) => id)
  assert.deepEqual(silent, [])
})

test('orders, estimates, invoices and tasking state it', () => {
  const ids = [
    'orders.get',
    'orders.list',
    'orders.archive.estimate',
    'billing.invoices.get',
    'orders.tasking.estimate',
  ]
  for (const id of ids)
    assert.ok(hasPlayMoneyField(operationRegistry.find((operation) => operation.id === id)!.output), id)
})

test('an output without money is left as it is, and one with money keeps what it requires', () => {
  const plain = Type.Object({ name: Type.String() })
  assert.equal(withPlayMoneyField(plain), plain)
  const priced = Type.Object({ rows: Type.Array(Type.Object({ creditsPrice: Type.Integer() })) }, { description: 'x' })
  const marked = withPlayMoneyField(priced) as unknown as Record<string, unknown>
  assert.deepEqual([marked['required'], marked['description']], [['rows'], 'x'])
})
