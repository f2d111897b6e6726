import { isPrivilegedScope, apiKeyPermissionFlags, scopes } from '@swath/contract/scopes.ts'
import { validationProblem } from '../../engine/problem.ts'

const grantablePermissions: ReadonlySet<string> = new Set([
  ...apiKeyPermissionFlags,
  ...scopes.filter((scope) => !isPrivilegedScope(scope)),
])

/**
 * The permissions of a new key, without duplicates and in input order: the three flags, or unprivileged scopes. Throws
 * `validation` for any other value.
 */
export function parseApiKeyPermissions(permissions: readonly string[]): string[] {
  const fieldErrors = permissions.flatMap((permission, index) =>
    grantablePermissions.has(permission)
      ? []
      : [
          {
            path: `permissions.${index}`,
            message: 'must be can_read, can_write, can_process or an unprivileged scope',
          },
        ],
  )
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  return [...new Set(permissions)]
}
