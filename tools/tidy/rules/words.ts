import { acrossFiles, words } from '../boundaries.ts'
import { covers, isProduct, isTest, type Finding, type Rule, type Tree } from '../tree.ts'

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

function spokenWords(tree: Tree): Finding[] {
  return [...tree.code]
    .filter(([path]) => isProduct(path))
    .flatMap(([path, source]) =>
      words
        .filter((row) => !covers(row.files, path))
        .flatMap((row) =>
          [...source.code.matchAll(row.word)].map((match) => ({
            file: path,
            says: `line ${lineAt(source.code, match.index)}: ${row.name} is allowed in ${row.files.join(', ')} only: ${row.reason}`,
          })),
        ),
    )
}

function acrossHolders(tree: Tree): Finding[] {
  const holders = acrossFiles.flatMap((row) => row.files)
  return [...tree.code]
    .filter(([path]) => isProduct(path) && path.startsWith('packages/server/') && !covers(holders, path))
    .flatMap(([path, source]) =>
      [...source.code.matchAll(/\.unscoped\b|\{[^{}]*\bunscoped\b[^{}]*\}\s*=/g)].map((match) => ({
        file: path,
        says: `line ${lineAt(source.code, match.index)}: may not use the connection that is not limited to one organization`,
      })),
    )
}

/** A todo comment needs an issue; tests may be neither skipped nor run alone. */
function loosePromises(tree: Tree): Finding[] {
  return [...tree.code].flatMap(([path, source]) => {
    const promises = source.comments
      .filter((comment) => /\b(todo|fixme|xxx|hack)\b/i.test(comment) && !/@todo #\d+/.test(comment))
      .map(() => ({ file: path, says: 'a todo comment must be written as "@todo #<issue>"' }))
    const skipped = isTest(path) ? [...source.code.matchAll(/\b(?:test|it|describe)\.(?:skip|only|todo)\b/g)] : []
    return [...promises, ...skipped.map((match) => ({ file: path, says: `${match[0]}: every test must run` }))]
  })
}

export const wordsRule: Rule = {
  name: 'restricted-patterns',
  why: 'Time, randomness, environment and network are each accessed in one place, which tests can replace.',
  check: (tree) => [...spokenWords(tree), ...acrossHolders(tree), ...loosePromises(tree)],
}
