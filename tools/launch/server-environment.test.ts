import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverEnvironment } from './node.mjs'

test('MALLOC_ARENA_MAX is 2 unless it is set', () => {
  assert.deepEqual(serverEnvironment({}), { MALLOC_ARENA_MAX: '2' })
  assert.deepEqual(serverEnvironment({ MALLOC_ARENA_MAX: '8' }), { MALLOC_ARENA_MAX: '8' })
})
