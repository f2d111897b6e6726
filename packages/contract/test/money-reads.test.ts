import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationRegistry } from '@swath/contract/registry.ts'

/** Reads of money that every member may call, with what the member sees. */
const readByMembers: Readonly<Record<string, string>> = {
  'billing.charge.explain': 'charges of orders that they can read',
  'billing.credits.balance': 'the balance, without lots',
  'billing.credits.transactions': 'transactions of projects that they can read',
  'billing.forecast': 'the spending of projects that they can read',
  'billing.plans.list': 'list prices',
  'catalog.compare_prices': 'what they would pay',
  'catalog.federated_search': 'what they would pay',
  'catalog.provider.samples': 'list prices',
  'catalog.search': 'what they would pay',
  'catalog.search_stream': 'what they would pay',
  'catalog.stac.search': 'what they would pay',
  'glossary.data_products.get': 'list prices',
  'glossary.data_products.list': 'list prices',
  'orders.archive.estimate': 'what they would pay',
  'orders.estimate': 'what they would pay',
  'orders.get': 'orders that they can read',
  'orders.list': 'orders that they can read',
  'orders.standing.list': 'caps in projects that they can read',
  'orders.tasking.sensors': 'list prices',
  'organizations.members.spend.get': 'their own limits',
  'share.link.get': 'costs of links in projects that they can read',
  'share.link.list': 'costs of links in projects that they can read',
  'users.me': 'the balance and their own limits',
}

/** True if a schema has a member that is an amount of money. */
function hasAmount(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties = {} } = schema as { properties?: Record<string, unknown> }
  return Object.keys(properties).some((name) => /_(?:aud|credits)$/.test(name)) || Object.values(schema).some(hasAmount)
}

test('what returns amounts needs a permission, or is listed with what a member sees of it', () => {
  const open = operationRegistry
    .filter(({ effect, scope }) => (effect === 'read' || effect === 'export') && !scope?.startsWith('admin:'))
    .filter(({ permission, output }) => permission === null && hasAmount(output))
  assert.deepEqual(
    open.map(({ id }) => id),
    Object.keys(readByMembers).sort(),
  )
})
