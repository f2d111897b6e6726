import { isPrivileged, keyFlags, scopes } from '@swath/contract/scopes.ts'
import { validationProblem } from '../../engine/problem.ts'

const grantable: ReadonlySet<string> = new Set([...keyFlags, ...scopes.filter((scope) => !isPrivileged(scope))])

/**
 * The permissions of a new key, each once and in the order given: the three flags, or concrete scopes that are not
 * privileged. Throws `validation` with every other word.
 */
export function readPermissions(words: readonly string[]): string[] {
  const faults = words.flatMap((word, index) =>
    grantable.has(word)
      ? []
      : [{ path: `permissions.${index}`, message: 'is neither can_read, can_write, can_process nor a scope for keys' }],
  )
  if (faults.length > 0) throw validationProblem(faults)
  return [...new Set(words)]
}
