import { budgets, longer, pages, printed, tables } from '../budgets.ts'
import { isTest, type Finding, type Rule, type Tree } from '../tree.ts'

const some = (patterns: readonly RegExp[], path: string): boolean => patterns.some((pattern) => pattern.test(path))

function ordinary(path: string): number {
  if (isTest(path)) return budgets.test
  return some(tables, path) ? budgets.table : budgets.file
}

/** Lines that hold something other than comment; strings count although their insides are blanked. */
function linesOfCode(text: string, comments: readonly string[]): number {
  let rest = text
  for (const comment of comments) rest = rest.replace(comment, () => comment.replace(/[^\n]/g, ''))
  return rest.split('\n').filter((line) => line.trim() !== '').length
}

function codeFindings(tree: Tree): Finding[] {
  return [...tree.code].flatMap(([file, source]): Finding[] => {
    if (some(printed, file)) return []
    const lines = linesOfCode(source.text, source.comments)
    const row = longer[file]
    if (row && lines <= ordinary(file)) return [{ file, says: `fits its budget again: take its row out of "longer"` }]
    const limit = row?.lines ?? ordinary(file)
    return lines > limit ? [{ file, says: `${lines} lines of code, ${limit} are its budget` }] : []
  })
}

function textFindings(tree: Tree): Finding[] {
  return [...tree.files].flatMap(([file, text]): Finding[] => {
    if (some(printed, file)) return []
    const limit = /\/migrations\//.test(file) ? budgets.migration : pages.find(([pattern]) => pattern.test(file))?.[1]
    const lines = text.trimEnd().split('\n').length
    return limit !== undefined && lines > limit ? [{ file, says: `${lines} lines, ${limit} are its budget` }] : []
  })
}

export const budgetsRule: Rule = {
  name: 'budgets',
  why: 'A file that fits on a few screens has one subject; what must be longer says why.',
  check: (tree) => [...codeFindings(tree), ...textFindings(tree)],
}
