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
            says: `line ${lineAt(source.code, match.index)}: ${row.name} belongs to ${row.files.join(', ')}: ${row.reason}`,
          })),
        ),
    )
}

function acrossHolders(tree: Tree): Finding[] {
  const holders = acrossFiles.flatMap((row) => row.files)
  return [...tree.code]
    .filter(([path]) => isProduct(path) && path.startsWith('packages/server/') && !covers(holders, path))
    .flatMap(([path, source]) =>
      [...source.code.matchAll(/\.across\b|\{[^{}]*\bacross\b[^{}]*\}\s*=/g)].map((match) => ({
        file: path,
        says: `line ${lineAt(source.code, match.index)}: may not hold the handle that works across organizations`,
      })),
    )
}

/** A note to come back needs an issue; a test that is skipped or alone proves nothing. */
function loosePromises(tree: Tree): Finding[] {
  return [...tree.code].flatMap(([path, source]) => {
    const promises = source.comments
      .filter((comment) => /\b(todo|fixme|xxx|hack)\b/i.test(comment) && !/@todo #\d+/.test(comment))
      .map(() => ({ file: path, says: 'a note to come back is written "@todo #<issue>"' }))
    const skipped = isTest(path) ? [...source.code.matchAll(/\b(?:test|it|describe)\.(?:skip|only|todo)\b/g)] : []
    return [...promises, ...skipped.map((match) => ({ file: path, says: `${match[0]}: every test runs` }))]
  })
}

export const wordsRule: Rule = {
  name: 'words',
  why: 'Time, chance, environment and network come in by one door each, so that tests can stand in it.',
  check: (tree) => [...spokenWords(tree), ...acrossHolders(tree), ...loosePromises(tree)],
}
