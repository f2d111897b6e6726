import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOperation, operationRegistry } from '@swath/contract/registry.ts'
import { isInteractiveScope, scopes } from '@swath/contract/scopes.ts'
import type { Principal } from '../call.ts'
import { Problem } from '../problem.ts'
import { requirePermittedCaller } from './scope.ts'

test('a credential can have a scope exactly if an operation with it is not for users in person alone', () => {
  for (const scope of scopes) {
    const covered = operationRegistry.filter((operation) => operation.scope === scope)
    const isForUsers = covered.every(({ callers }) => callers === 'interactive-users' || callers === 'account-owners')
    assert.equal(isInteractiveScope(scope), isForUsers, scope)
  }
})

test('what a principal is decides whether it owns the account', () => {
  const user: Principal = {
    kind: 'human',
    id: 'u',
    user: 'u',
    organization: 'o',
    role: 'owner',
    scopes: ['*'],
    administrator: false,
  }
  const refusal = (change: Partial<Principal>, id: string): string | null => {
    try {
      requirePermittedCaller({ ...user, ...change }, findOperation(id)!)
      return null
    } catch (error) {
      assert.ok(error instanceof Problem)
      return error.problem
    }
  }
  const rows: readonly [change: Partial<Principal>, account: string | null, consents: string | null][] = [
    [{}, null, null],
    [{ provider_organization: 'o' }, 'forbidden', null],
    [{ program: 'p' }, 'user-required', 'user-required'],
    [{ program: 'p', provider_organization: 'o' }, 'user-required', 'user-required'],
    [{ personal_token: 't' }, 'user-required', 'user-required'],
    [{ impersonator: 'i' }, 'user-required', 'user-required'],
    [{ kind: 'api_key' }, 'user-required', 'user-required'],
    [{ kind: 'service', user: null }, 'user-required', 'user-required'],
  ]
  for (const [change, account, consents] of rows) {
    assert.equal(refusal(change, 'users.export'), account, JSON.stringify(change))
    assert.equal(refusal(change, 'users.consents.list'), consents, JSON.stringify(change))
  }
})
