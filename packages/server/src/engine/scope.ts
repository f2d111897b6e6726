import type { Operation } from '@swath/contract/operation.ts'
import { isScopeGranted } from '@swath/contract/scopes.ts'
import type { Principal } from './call.ts'
import { Problem } from './problem.ts'

/**
 * Throws `insufficient-scope` if the principal lacks the scope of the operation or is limited to others, `unauthenticated` if it
 * is limited to others and the operation has no scope.
 */
export function requireScope(principal: Principal, operation: Operation): void {
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
