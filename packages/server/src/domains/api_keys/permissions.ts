import { isPrivileged, keyFlags, scopes } from '@swath/contract/scopes.ts'
import { validationProblem } from '../../engine/problem.ts'

const grantable: ReadonlySet<string> = new Set([...keyFlags, ...scopes.filter((scope) => !isPrivileged(scope))])

/**
 * The permissions of a new key, without duplicates and in input order: the three flags, or unprivileged scopes. Throws
 * `validation` for any other value.
 */
export function readPermissions(words: readonly string[]): string[] {
  const faults = words.flatMap((word, index) =>
    grantable.has(word)
      ? []
      : [
          {
            path: `permissions.${index}`,
            message: 'must be can_read, can_write, can_process or an unprivileged scope',
          },
        ],
  )
  if (faults.length > 0) throw validationProblem(faults)
  return [...new Set(words)]
}
