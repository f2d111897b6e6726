import { unscopedPermissions, restrictedPatterns } from '../boundaries.ts'
import { isCovered, isProductCode, isTest, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

const lineNumber = (text: string, index: number): number => text.slice(0, index).split('\n').length

function findRestrictedPatterns(tree: SourceTree): TidyFinding[] {
  return [...tree.code]
    .filter(([path]) => isProductCode(path))
    .flatMap(([path, source]) =>
      restrictedPatterns
        .filter((restriction) => !isCovered(restriction.files, path))
        .flatMap((restriction) =>
          [...source.code.matchAll(restriction.pattern)].map((match) => ({
            file: path,
            message: `line ${lineNumber(source.code, match.index)}: ${restriction.name} is allowed in ${restriction.files.join(', ')} only: ${restriction.reason}`,
          })),
        ),
    )
}

function findUnscopedUses(tree: SourceTree): TidyFinding[] {
  const permittedFiles = unscopedPermissions.flatMap((restriction) => restriction.files)
  return [...tree.code]
    .filter(([path]) => isProductCode(path) && path.startsWith('packages/server/') && !isCovered(permittedFiles, path))
    .flatMap(([path, source]) =>
      [...source.code.matchAll(/\.unscoped\b|\{[^{}]*\bunscoped\b[^{}]*\}\s*=/g)].map((match) => ({
        file: path,
        message: `line ${lineNumber(source.code, match.index)}: may not use the connection that is not limited to one organization`,
      })),
    )
}

/** Comments on work to do name an issue; tests may be neither skipped nor run alone. */
function findTodosAndSkippedTests(tree: SourceTree): TidyFinding[] {
  return [...tree.code].flatMap(([path, source]) => {
    const todos = source.comments
      .filter((comment) => /\b(todo|fixme|xxx|hack)\b/i.test(comment) && !/@todo #\d+/.test(comment))
      .map(() => ({ file: path, message: 'a todo comment must be written as "@todo #<issue>"' }))
    const skipped = isTest(path) ? [...source.code.matchAll(/\b(?:test|it|describe)\.(?:skip|only|todo)\b/g)] : []
    return [...todos, ...skipped.map((match) => ({ file: path, message: `${match[0]}: every test must run` }))]
  })
}

export const patternsRule: TidyRule = {
  name: 'restricted-patterns',
  reason: 'Time, randomness, environment and network are each accessed in one place, which tests can replace.',
  check: (tree) => [...findRestrictedPatterns(tree), ...findUnscopedUses(tree), ...findTodosAndSkippedTests(tree)],
}
