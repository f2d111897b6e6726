import { budgets, longer, pages, printed, tables } from '../budgets.ts'
import { isTest, type Finding, type Rule, type Tree } from '../tree.ts'

const some = (patterns: readonly RegExp[], path: string): boolean => patterns.some((pattern) => pattern.test(path))

function ordinary(path: string): number {
  if (isTest(path)) return budgets.test
  return some(tables, path) ? budgets.table : budgets.file
}

/** Counts lines with something other than comments; strings count although their content is blanked. */
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
    if (row && lines <= ordinary(file)) return [{ file, says: `fits its budget again: remove its row from "longFiles"` }]
    const limit = row?.lines ?? ordinary(file)
    return lines > limit ? [{ file, says: `has ${lines} lines of code; its budget is ${limit}` }] : []
  })
}

function textFindings(tree: Tree): Finding[] {
  return [...tree.files].flatMap(([file, text]): Finding[] => {
    if (some(printed, file)) return []
    const limit = /\/migrations\//.test(file) ? budgets.migration : pages.find(([pattern]) => pattern.test(file))?.[1]
    const lines = text.trimEnd().split('\n').length
    return limit !== undefined && lines > limit ? [{ file, says: `has ${lines} lines; its budget is ${limit}` }] : []
  })
}

export const budgetsRule: Rule = {
  name: 'budgets',
  why: 'A file that fits on a few screens has one subject; exceptions state a reason.',
  check: (tree) => [...codeFindings(tree), ...textFindings(tree)],
}
