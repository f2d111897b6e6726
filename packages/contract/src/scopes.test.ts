import assert from 'node:assert/strict'
import { test } from 'node:test'
import { humanScopes, isPrivileged, satisfies, scopes, scopesOfKey } from './scopes.ts'

const privileged = scopes.filter(isPrivileged)
const ordinary = scopes.filter((scope) => !isPrivileged(scope))
const opened = (granted: readonly string[]): string[] => scopes.filter((scope) => satisfies(granted, scope))

test('the scopes of a signed-in user cover every scope that is not privileged', () => {
  assert.deepEqual(opened(humanScopes), ordinary)
})

test('`*` covers every scope, and an empty grant none', () => {
  assert.deepEqual(opened(['*']), scopes)
  assert.deepEqual(opened([]), [])
})

test('the flags of a key cover their action and read, but no privileged resource', () => {
  const reads = ordinary.filter((scope) => scope.endsWith(':read'))
  assert.deepEqual(opened(scopesOfKey([])), reads)
  assert.deepEqual(opened(scopesOfKey(['can_read'])), reads)
  const writes = ordinary.filter((scope) => /:(read|write)$/.test(scope))
  assert.deepEqual(opened(scopesOfKey(['can_write'])), writes)
  const processes = ordinary.filter((scope) => /:(read|process)$/.test(scope))
  assert.deepEqual(opened(scopesOfKey(['can_process'])), processes)
  const all = opened(scopesOfKey(['can_read', 'can_write', 'can_process']))
  assert.deepEqual(
    all.filter((scope) => privileged.includes(scope as (typeof scopes)[number])),
    [],
  )
})

test('stored scopes are added to those of the flags, or stand alone', () => {
  assert.deepEqual(opened(scopesOfKey(['uploads:write'])), ['uploads:write'])
  assert.ok(opened(scopesOfKey(['can_read', 'clip:read'])).includes('clip:read'))
})

test('wildcards match whole resource names and actions only', () => {
  assert.equal(satisfies(['item:*'], 'items:read'), false)
  assert.equal(satisfies(['items:*'], 'items:write'), true)
  assert.equal(satisfies(['*:*'], 'items:read'), false)
  assert.equal(satisfies(['*:read'], 'admin:read'), false)
})
