import {
  lineBudgets,
  listFolders,
  longFiles,
  max_files_in_folder,
  pageBudgets,
  generatedPatterns,
  tablePatterns,
} from '../budgets.ts'
import { isTest, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

const matchesAny = (patterns: readonly RegExp[], path: string): boolean =>
  patterns.some((pattern) => pattern.test(path))

function defaultBudget(path: string): number {
  if (isTest(path)) return lineBudgets.test
  return matchesAny(tablePatterns, path) ? lineBudgets.table : lineBudgets.file
}

/** Counts lines with something other than comments; strings count although their content is blanked. */
function countCodeLines(text: string, comments: readonly string[]): number {
  let rest = text
  for (const comment of comments) rest = rest.replace(comment, () => comment.replace(/[^\n]/g, ''))
  return rest.split('\n').filter((line) => line.trim() !== '').length
}

function codeFindings(tree: SourceTree): TidyFinding[] {
  return [...tree.code].flatMap(([file, source]): TidyFinding[] => {
    if (matchesAny(generatedPatterns, file)) return []
    const lines = countCodeLines(source.text, source.comments)
    const exception = longFiles[file]
    if (exception && lines <= defaultBudget(file))
      return [{ file, message: `fits its budget again: remove its row from "longFiles"` }]
    const limit = exception?.lines ?? defaultBudget(file)
    return lines > limit ? [{ file, message: `has ${lines} lines of code; its budget is ${limit}` }] : []
  })
}

function textFindings(tree: SourceTree): TidyFinding[] {
  return [...tree.files].flatMap(([file, text]): TidyFinding[] => {
    if (matchesAny(generatedPatterns, file)) return []
    const limit = /\/migrations\//.test(file)
      ? lineBudgets.migration
      : pageBudgets.find(([pattern]) => pattern.test(file))?.[1]
    const lines = text.trimEnd().split('\n').length
    return limit !== undefined && lines > limit ? [{ file, message: `has ${lines} lines; its budget is ${limit}` }] : []
  })
}

function folderFindings(tree: SourceTree): TidyFinding[] {
  const folders = Map.groupBy(tree.files.keys(), (file) => file.slice(0, Math.max(0, file.lastIndexOf('/'))))
  return [...folders]
    .filter(([folder, files]) => files.length > max_files_in_folder && !matchesAny(listFolders, folder))
    .map(([folder, files]) => ({
      file: folder,
      message: `has ${files.length} files; at most ${max_files_in_folder} are in one folder`,
    }))
}

export const budgetsRule: TidyRule = {
  name: 'budgets',
  reason: 'A file that fits on a few screens has one subject, and so has a folder; exceptions state a reason.',
  check: (tree) => [...codeFindings(tree), ...textFindings(tree), ...folderFindings(tree)],
}
