import type { PermittedCallers } from '@swath/contract/access.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { isScopeGranted } from '@swath/contract/scopes.ts'
import type { Principal } from '../call.ts'
import { isAccountOwner, isInteractiveUser } from '../principal.ts'
import { Problem } from '../problem.ts'

/** A rule for callers: the problem and what it says, or null for those who are permitted. */
type CallerRule = (principal: Principal, operation: Operation) => Problem | null

const requireInteractiveUser: CallerRule = (principal, { id }) =>
  isInteractiveUser(principal)
    ? null
    : new Problem('user-required', `Only the user in person can call ${id}: no program, no key and no personal token.`)

const callerRules: Readonly<Record<PermittedCallers, CallerRule>> = {
  any: () => null,
  users: ({ kind }, { id }) =>
    kind === 'human' ? null : new Problem('user-required', `Only a user who has signed in can call ${id}.`),
  'users-and-named-keys': ({ kind, key_scopes, scopes }, { id, scope }) =>
    // Not the scopes of its token, which names what a flag of the key covers if that was asked for.
    kind === 'human' || (scope !== null && (key_scopes ?? scopes).includes(scope))
      ? null
      : new Problem(
          'user-required',
          `Only a user, or an API key with the permission ${scope} by name, can call ${id}.`,
        ),
  'interactive-users': requireInteractiveUser,
  'account-owners': (principal, operation) =>
    isInteractiveUser(principal) && !isAccountOwner(principal)
      ? new Problem(
          'forbidden',
          'Sign in without the provider of your organization for this: it speaks for that one alone.',
        )
      : requireInteractiveUser(principal, operation),
}

/** Throws `user-required` or `forbidden` for a caller whom the contract of the operation does not permit. */
export function requirePermittedCaller(principal: Principal, operation: Operation): void {
  const problem = callerRules[operation.callers](principal, operation)
  if (problem !== null) throw problem
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
