import type { Operation } from '@swath/contract/operation.ts'
import { isScopeGranted } from '@swath/contract/scopes.ts'
import type { Principal } from './call.ts'
import { Problem } from './problem.ts'

/** Throws `insufficient-scope` if the principal lacks the scope of the operation. */
export function requireScope(principal: Principal, operation: Operation): void {
  if (operation.scope !== null && !isScopeGranted(principal.scopes, operation.scope)) {
    throw new Problem('insufficient-scope', `${operation.id} requires the scope ${operation.scope}.`, {
      required_scope: operation.scope,
    })
  }
}
