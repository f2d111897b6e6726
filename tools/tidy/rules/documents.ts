import { printMap } from '../print-map.ts'
import type { Finding, Rule, Tree } from '../tree.ts'

const headings = ['## Context', '## Decision', '## What would change our mind']
const map = { begin: '<!-- map: printed from tools/tidy/boundaries.ts -->', end: '<!-- end of map -->' }

function decisions(tree: Tree): Finding[] {
  const pages = [...tree.files].filter(([path]) => /^docs\/decisions\/.+\.md$/.test(path))
  return pages.flatMap(([file, text], index): Finding[] => {
    const number = String(index + 1).padStart(4, '0')
    const numbered = file.startsWith(`docs/decisions/${number}-`)
    const missing = headings.filter((heading) => !text.includes(`\n${heading}\n`))
    return [
      ...(numbered ? [] : [{ file, says: `the next decision record has the number ${number}` }]),
      ...missing.map((heading) => ({ file, says: `has no section "${heading}"` })),
    ]
  })
}

/** The map in `ARCHITECTURE.md` must equal the one that the rules enforce. */
function printedMap(tree: Tree): Finding[] {
  const file = 'ARCHITECTURE.md'
  const text = tree.files.get(file)
  if (text === undefined) return [{ file, says: 'is missing' }]
  const shown = text.split(map.begin)[1]?.split(map.end)[0]
  if (shown === undefined) return [{ file, says: 'has no map between its two markers' }]
  return shown.trim() === printMap().trim()
    ? []
    : [{ file, says: 'the map is out of date: run node tools/tidy/print-map.ts' }]
}

export const documentsRule: Rule = {
  name: 'documents',
  why: 'Decision records are numbered and have all sections; the printed map is the enforced one.',
  check: (tree) => [...decisions(tree), ...printedMap(tree)],
}
