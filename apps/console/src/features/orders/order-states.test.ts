import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMissingPrice } from './order-states.ts'

test('an order of new imagery without a sum is not called free', () => {
  const priceOf = (orderType: 'archive' | 'tasking', status: 'CREATED' | 'CANCELED') =>
    describeMissingPrice({ orderType, status })
  assert.deepEqual(
    [priceOf('archive', 'CREATED'), priceOf('tasking', 'CREATED'), priceOf('tasking', 'CANCELED')],
    ['free', 'later', 'never'],
  )
})
