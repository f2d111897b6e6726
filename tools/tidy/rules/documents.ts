import { printMap } from '../print-map.ts'
import type { TidyFinding, TidyRule, SourceTree } from '../tree.ts'

const requiredHeadings = ['## Context', '## Decision', '## What would change our mind']
const mapMarkers = { begin: '<!-- map: printed from tools/tidy/boundaries.ts -->', end: '<!-- end of map -->' }

function checkDecisions(tree: SourceTree): TidyFinding[] {
  const pages = [...tree.files].filter(([path]) => /^docs\/decisions\/.+\.md$/.test(path))
  return pages.flatMap(([file, text], index): TidyFinding[] => {
    const number = String(index + 1).padStart(4, '0')
    const numbered = file.startsWith(`docs/decisions/${number}-`)
    const missing = requiredHeadings.filter((heading) => !text.includes(`\n${heading}\n`))
    return [
      ...(numbered ? [] : [{ file, message: `the next decision record has the number ${number}` }]),
      ...(text.startsWith(`# ${Number(/\/(\d+)-/.exec(file)?.[1])}. `)
        ? []
        : [{ file, message: 'begins with another number than that of its name' }]),
      ...missing.map((heading) => ({ file, message: `has no section "${heading}"` })),
    ]
  })
}

/** The map in `ARCHITECTURE.md` must equal the one that the rules enforce. */
function checkPrintedMap(tree: SourceTree): TidyFinding[] {
  const file = 'ARCHITECTURE.md'
  const text = tree.files.get(file)
  if (text === undefined) return [{ file, message: 'is missing' }]
  const shownMap = text.split(mapMarkers.begin)[1]?.split(mapMarkers.end)[0]
  if (shownMap === undefined) return [{ file, message: 'has no map between its two markers' }]
  return shownMap.trim() === printMap().trim()
    ? []
    : [{ file, message: 'the map is out of date: run node tools/tidy/print-map.ts' }]
}

/** The reader of a list of numbered files has to learn that none is lost. */
function checkMigrationNumbers(tree: SourceTree): TidyFinding[] {
  const file = 'packages/server/migrations/README.md'
  const text = tree.files.get(file) ?? ''
  const numbers = [...tree.files.keys()].flatMap((path) => /\/migrations\/(\d{4})_\w+\.sql$/.exec(path)?.[1] ?? [])
  const used = new Set(numbers.map(Number))
  return Array.from({ length: Math.max(0, ...used) }, (_, index) => index + 1)
    .filter((number) => !used.has(number))
    .map((number) => String(number).padStart(4, '0'))
    .filter((number) => !text.includes(number))
    .map((number) => ({ file, message: `does not say why no migration has the number ${number}` }))
}

export const documentsRule: TidyRule = {
  name: 'documents',
  reason:
    'Decision records are numbered and have all sections; gaps in the numbers of migrations are explained; the printed map is the enforced one.',
  check: (tree) => [...checkDecisions(tree), ...checkMigrationNumbers(tree), ...checkPrintedMap(tree)],
}
