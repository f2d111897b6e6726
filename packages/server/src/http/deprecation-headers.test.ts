import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routesDeprecatedSince, contractRoutes } from '@swath/contract/routes.ts'
import { createDeprecationHeaders } from './deprecation-headers.ts'

test('a deprecated route has Deprecation and a successor Link, and announces no end', () => {
  const headersOf = createDeprecationHeaders({ successor: '/orders/{order_id}/assets' })
  assert.deepEqual(headersOf?.({ order_id: 'a/b>' }, 'https://x.example'), {
    deprecation: '@1767225600',
    link: '<https://x.example/orders/a%2Fb%3E/assets>; rel="successor-version"',
  })
  assert.equal(createDeprecationHeaders({}), null)
})

test('every successor is a route of the same operation and method that is not deprecated', () => {
  const deprecated = contractRoutes.filter(({ successor }) => successor !== undefined)
  assert.ok(deprecated.length > 10)
  assert.ok(Number.isFinite(Date.parse(routesDeprecatedSince)))
  for (const { method, operation, successor } of deprecated) {
    const found = contractRoutes.find((route) => route.path === successor && route.method === method)
    assert.equal(found?.operation, operation, successor)
    assert.equal(found?.successor, undefined, successor)
  }
})
