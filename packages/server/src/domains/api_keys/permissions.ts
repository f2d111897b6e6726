import { apiKeyPermissionFlags, resolveApiKeyScopes, scopes } from '@swath/contract/scopes.ts'
import type { Principal } from '../../engine/call.ts'
import { requireHeldScopes } from '../../engine/principal.ts'
import { validationProblem } from '../../engine/problem.ts'

/** No credential of a customer has the scopes of operators. */
const grantablePermissions: ReadonlySet<string> = new Set([
  ...apiKeyPermissionFlags,
  ...scopes.filter((scope) => !scope.startsWith('admin:')),
])

/**
 * The permissions of a new key, without duplicates and in input order: the three flags, or scopes, where a
 * privileged one must be named and held by the caller (`requireOwnScopes`). Throws `validation` for any other value.
 */
export function parseApiKeyPermissions(permissions: readonly string[]): string[] {
  const fieldErrors = permissions.flatMap((permission, index) =>
    grantablePermissions.has(permission)
      ? []
      : [
          {
            path: `permissions.${index}`,
            message: 'must be can_read, can_write, can_process or a scope that is not for operators',
          },
        ],
  )
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  return [...new Set(permissions)]
}

/** Throws `insufficient-scope` if a key with these permissions could do what the token of the caller cannot. */
export const requireOwnScopes = (principal: Pick<Principal, 'scopes'>, permissions: readonly string[]): void =>
  requireHeldScopes(principal, resolveApiKeyScopes(permissions), 'the key')
