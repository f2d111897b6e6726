import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessOf, describePermissions, grantableScopes } from './permissions.ts'

test('flags are a kind of access, scopes are named', () => {
  assert.equal(accessOf([]), 'read')
  assert.equal(accessOf(['can_read', 'can_write']), 'write')
  assert.equal(accessOf(['can_process', 'can_read']), 'process')
  assert.equal(describePermissions(['items:read', 'orders:write']), 'items:read, orders:write')
})

test('scopes are listed once, without those of operators', () => {
  assert.deepEqual(grantableScopes(['orders:write', null, 'items:read', 'admin:read', 'orders:write']), [
    'items:read',
    'orders:write',
  ])
})
