import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  humanScopes,
  intersectScopes,
  isPrivilegedScope,
  isRequestableScope,
  isScopeGranted,
  scopes,
  resolveApiKeyScopes,
} from './scopes.ts'

const privileged = scopes.filter(isPrivilegedScope)
const ordinary = scopes.filter((scope) => !isPrivilegedScope(scope))
const covered = (granted: readonly string[]): string[] => scopes.filter((scope) => isScopeGranted(granted, scope))

test('the scopes of a signed-in user cover every scope that is not privileged', () => {
  assert.deepEqual(covered(humanScopes), ordinary)
})

test('`*` covers every scope, and an empty grant none', () => {
  assert.deepEqual(covered(['*']), scopes)
  assert.deepEqual(covered([]), [])
})

test('the flags of a key cover their action and read, but no privileged resource', () => {
  const reads = ordinary.filter((scope) => scope.endsWith(':read'))
  assert.deepEqual(covered(resolveApiKeyScopes([])), reads)
  assert.deepEqual(covered(resolveApiKeyScopes(['can_read'])), reads)
  const writes = ordinary.filter((scope) => /:(read|write)$/.test(scope))
  assert.deepEqual(covered(resolveApiKeyScopes(['can_write'])), writes)
  const processes = ordinary.filter((scope) => /:(read|process)$/.test(scope))
  assert.deepEqual(covered(resolveApiKeyScopes(['can_process'])), processes)
  const all = covered(resolveApiKeyScopes(['can_read', 'can_write', 'can_process']))
  assert.deepEqual(
    all.filter((scope) => privileged.includes(scope as (typeof scopes)[number])),
    [],
  )
})

test('stored scopes are added to those of the flags, or stand alone', () => {
  assert.deepEqual(covered(resolveApiKeyScopes(['uploads:write'])), ['uploads:write'])
  assert.ok(covered(resolveApiKeyScopes(['can_read', 'clip:read'])).includes('clip:read'))
})

test('wildcards match whole resource names and actions only', () => {
  assert.equal(isScopeGranted(['item:*'], 'items:read'), false)
  assert.equal(isScopeGranted(['items:*'], 'items:write'), true)
  assert.equal(isScopeGranted(['*:*'], 'items:read'), false)
  assert.equal(isScopeGranted(['*:read'], 'admin:read'), false)
})

/** Every pattern that somebody may hold or ask for, and some that do not exist. */
const patterns = [
  ...scopes,
  ...humanScopes,
  'admin:*',
  'clip:*',
  '*:read',
  '*:write',
  '*:process',
  '*:destroy',
  'nothing:read',
  'items:fly',
]

test('what two scopes cover together is exactly what each of them covers', () => {
  for (const left of patterns)
    for (const right of patterns) {
      const both = covered([left]).filter((scope) => covered([right]).includes(scope))
      assert.deepEqual(covered(intersectScopes([left], [right])), both, `${left} and ${right}`)
    }
})

test('an intersection of lists covers what both lists cover, and `*` leaves the other', () => {
  assert.deepEqual(intersectScopes(['*'], humanScopes), humanScopes)
  assert.deepEqual(intersectScopes(['*:read', 'items:*'], humanScopes).includes('items:*'), true)
  assert.deepEqual(covered(intersectScopes(['*:read'], [...humanScopes, 'admin:*'])), covered(['*:read']))
  assert.deepEqual(intersectScopes(['admin:*'], humanScopes), [])
})

test('a scope may be asked for if it exists, as a whole resource, or as an action', () => {
  assert.ok(scopes.every(isRequestableScope))
  assert.ok(['items:*', 'admin:*', '*:read', '*:destroy'].every(isRequestableScope))
  assert.deepEqual(
    ['*', '*:*', '', 'items', 'items:fly', 'nothing:read', 'items:read:x', 'constructor:*'].filter(isRequestableScope),
    [],
  )
})
