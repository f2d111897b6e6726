import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessOf, describePermissions } from './permissions.ts'

test('flags are a kind of access, scopes are named', () => {
  assert.equal(accessOf([]), 'read')
  assert.equal(accessOf(['can_read', 'can_write']), 'write')
  assert.equal(accessOf(['can_process', 'can_read']), 'process')
  assert.equal(describePermissions(['items:read', 'orders:write']), 'items:read, orders:write')
})
