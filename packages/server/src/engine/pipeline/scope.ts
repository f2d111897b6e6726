import type { Operation } from '@swath/contract/operation.ts'
import { isScopeGranted } from '@swath/contract/scopes.ts'
import type { Principal } from '../call.ts'
import { Problem } from '../problem.ts'

/**
 * Throws `user-required` for an API key, or a token made with one, if the operation is for users, or for keys that have
 * its scope by name.
 */
export function requirePermittedCaller(principal: Principal, { id, scope, callers }: Operation): void {
  if (principal.kind === 'human' || callers === 'any') return
  if (callers === 'users') throw new Problem('user-required', `Only a user who has signed in can call ${id}.`)
  // Not the scopes of its token, which names what a flag of the key covers if that was asked for.
  if (scope !== null && (principal.key_scopes ?? principal.scopes).includes(scope)) return
  throw new Problem('user-required', `Only a user, or an API key with the permission ${scope} by name, can call ${id}.`)
}

/**
 * Throws `insufficient-scope` if the principal lacks the scope of the operation, is limited to others, or impersonates a user and
 * the operation is not a read; `unauthenticated` if it is limited to others and the operation has no scope.
 */
export function requireScope(principal: Principal, operation: Operation): void {
  if (principal.impersonator !== undefined && operation.effect !== 'read') {
    throw new Problem('insufficient-scope', 'Who reads as another user can call no operation that is not a read.', {
      required_scope: operation.scope,
    })
  }
  if (principal.operations && !principal.operations.includes(operation.id)) {
    const detail = `This token may only call ${principal.operations.join(', ')}.`
    // An operation without a scope takes any token that is valid for it.
    if (operation.scope === null) throw new Problem('unauthenticated', detail)
    throw new Problem('insufficient-scope', detail, { required_scope: operation.scope })
  }
  if (operation.scope !== null && !isScopeGranted(principal.scopes, operation.scope)) {
    throw new Problem('insufficient-scope', `${operation.id} requires the scope ${operation.scope}.`, {
      required_scope: operation.scope,
    })
  }
}
