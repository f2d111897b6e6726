import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupScopes, isScopeHeld, offeredScopes } from './scopes.ts'

test('a pattern covers its scopes, and a wildcard of an action none of operators', () => {
  assert.equal(isScopeHeld(['items:*'], 'items:read'), true)
  assert.equal(isScopeHeld(['*:read'], 'orders:read'), true)
  assert.equal(isScopeHeld(['*:read'], 'orders:write'), false)
  assert.equal(isScopeHeld(['*:read', '*:write'], 'admin:write'), false)
  assert.equal(isScopeHeld(['admin:*'], 'admin:write'), true)
  assert.equal(isScopeHeld(['*'], 'clip:read'), true)
})

test('the offered scopes are those that the person has', () => {
  assert.deepEqual(offeredScopes(['tiles:*', 'orders:read']), ['tiles:read', 'orders:read'])
  assert.ok(!offeredScopes(['*:read']).includes('admin:read'))
})

test('scopes are grouped by resource, and found by the words of either', () => {
  const scopes = ['items:read', 'items:write', 'band_formulas:read']
  assert.deepEqual(
    groupScopes(scopes).map(({ title, scopes: members }) => [title, members.length]),
    [
      ['Imagery and projects', 2],
      ['Band formulas', 1],
    ],
  )
  assert.deepEqual(
    groupScopes(scopes, ' Download ').map(({ resource, scopes: members }) => [
      resource,
      members.map(({ scope }) => scope),
    ]),
    [['items', ['items:read']]],
  )
  assert.deepEqual(groupScopes(scopes, 'nothing of that kind'), [])
})
