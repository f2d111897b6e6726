import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverEnvironment } from './node.mjs'

test('the server is started with few arenas of the C library, unless somebody has chosen', () => {
  assert.deepEqual(serverEnvironment({}), { MALLOC_ARENA_MAX: '2' })
  assert.deepEqual(serverEnvironment({ MALLOC_ARENA_MAX: '8' }), { MALLOC_ARENA_MAX: '8' })
})
