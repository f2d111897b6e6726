import type { TidyFinding, TidyRule, SourceTree } from '../tree.ts'

const requiredHeadings = ['## Context', '## Decision', '## What would change our mind']
const decisionIndex = 'docs/decisions/README.md'
const migrationIndex = 'packages/server/migrations/README.md'

/** Paths of the tree by the number in their name. */
const findNumbered = ({ files }: SourceTree, pattern: RegExp): (readonly [number: string, file: string])[] =>
  [...files.keys()].flatMap((file) => {
    const number = pattern.exec(file)?.[1]
    return number === undefined ? [] : [[number, file] as const]
  })

/** The reader of a list of numbered files has to learn that none is lost. */
function checkGaps(tree: SourceTree, index: string, kind: string, present: readonly string[]): TidyFinding[] {
  const text = tree.files.get(index) ?? ''
  return Array.from({ length: Math.max(0, ...present.map(Number)) }, (_, at) => String(at + 1).padStart(4, '0'))
    .filter((number) => !present.includes(number) && !text.includes(number))
    .map((number) => ({ file: index, message: `does not say why no ${kind} has the number ${number}` }))
}

function checkMigrations(tree: SourceTree): TidyFinding[] {
  const numbers = findNumbered(tree, /\/migrations\/(\d{4})_\w+\.sql$/).map(([number]) => number)
  return checkGaps(tree, migrationIndex, 'migration', numbers)
}

function checkDecision(file: string, number: string, text: string): TidyFinding[] {
  const missing = requiredHeadings.filter((heading) => !text.includes(`\n${heading}\n`))
  return [
    ...(text.startsWith(`# ${Number(number)}. `)
      ? []
      : [{ file, message: 'begins with another number than that of its name' }]),
    ...missing.map((heading) => ({ file, message: `has no section "${heading}"` })),
  ]
}

/** Each record is listed once in the index, by its topic. */
function checkDecisions(tree: SourceTree): TidyFinding[] {
  const records = findNumbered(tree, /^docs\/decisions\/(\d{4})-.+\.md$/)
  const numbers = records.map(([number]) => number)
  const unnumbered = [...tree.files.keys()].filter(
    (file) =>
      file.startsWith('docs/decisions/') && file !== decisionIndex && !records.some(([, path]) => path === file),
  )
  const index = tree.files.get(decisionIndex) ?? ''
  const listed = [...index.matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)].map((match) => `docs/decisions/${match[1]}`)
  return [
    ...unnumbered.map((file) => ({ file, message: 'is not named by the number of a decision record' })),
    ...records.flatMap(([number, file], at): TidyFinding[] => [
      ...checkDecision(file, number, tree.files.get(file)!),
      ...(numbers.indexOf(number) === at ? [] : [{ file, message: `another record has the number ${number}` }]),
      ...(listed.filter((path) => path === file).length === 1
        ? []
        : [{ file: decisionIndex, message: `does not list ${file} exactly once` }]),
    ]),
    ...checkGaps(tree, decisionIndex, 'record', numbers),
  ]
}

export const documentsRule: TidyRule = {
  name: 'documents',
  reason:
    'Decision records have a number of their own, all sections and a place in their index; gaps in the numbers of records and of migrations are explained.',
  check: (tree) => [...checkDecisions(tree), ...checkMigrations(tree)],
}
