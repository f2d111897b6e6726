import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWidePlace } from './wide-places.ts'

test('screens without anything on the map have the whole width', () => {
  for (const path of ['/money', '/money/journal', '/build/webhooks/1', '/admin']) assert.ok(isWidePlace(path), path)
  for (const path of ['/explore', '/orders/1', '/moneybox', '/']) assert.ok(!isWidePlace(path), path)
})
