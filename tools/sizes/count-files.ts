import { posix } from 'node:path'
import { listImports } from '../tidy/graph.ts'
import { declarationOf } from '../tidy/operation-files.ts'
import { isProductCode, isTest, operationIdOf, moduleOf, type SourceTree } from '../tidy/tree.ts'

/** Files and lines of one part of the repository; empty lines count. */
export interface PartSize {
  readonly part: string
  readonly files: number
  readonly lines: number
}

export const countLines = (text: string): number => (text.match(/\n/g)?.length ?? 0) + (text.endsWith('\n') ? 0 : 1)

/** Below a folder that holds one workspace, or a part of the repository that is none. */
const parts: readonly (readonly [part: string, folder: string])[] = [
  ['contract', 'packages/contract/src/'],
  ['geo', 'packages/geo/src/'],
  ['raster', 'packages/raster/src/'],
  ['server', 'packages/server/src/'],
  ['client', 'packages/client/src/'],
  ['cli', 'packages/cli/src/'],
  ['console', 'apps/console/src/'],
  ['tools', 'tools/'],
  ['verification', 'verification/'],
]
const codeFile = /\.(ts|tsx|mjs|js)$/

function sizeOf(part: string, files: Iterable<readonly [string, string]>): PartSize {
  const texts = [...files].map(([, text]) => text)
  return { part, files: texts.length, lines: texts.reduce((sum, text) => sum + countLines(text), 0) }
}

/** Code without tests by workspace, style sheets of the console, then all tests. */
export function countParts({ files }: SourceTree): PartSize[] {
  const code = [...files].filter(([path]) => codeFile.test(path))
  const isCode = (path: string): boolean => !isTest(path)
  return [
    ...parts.map(([part, folder]) => sizeOf(part, code.filter(([path]) => path.startsWith(folder) && isCode(path)))), // prettier-ignore
    sizeOf('console, CSS', [...files].filter(([path]) => path.startsWith('apps/console/') && path.endsWith('.css'))),
    sizeOf('tests', code.filter(([path]) => isTest(path))),
  ] // prettier-ignore
}

const short_file_lines = 15

/** Product files below 15 lines. */
export const listShortFiles = ({ files }: SourceTree): string[] =>
  [...files]
    .filter(([path, text]) => codeFile.test(path) && isProductCode(path) && countLines(text) < short_file_lines)
    .map(([path]) => path)

/**
 * Files of the server that one file of the same folder imports, and no other: candidates for merging. Operations, tasks
 * and modules are found by their names, so they are left out.
 */
export function listSingleImporterFiles(tree: SourceTree): string[] {
  const importers = new Map<string, Set<string>>()
  for (const { from, to } of listImports(tree)) {
    if (to === null || !isProductCode(from)) continue
    importers.set(to, (importers.get(to) ?? new Set()).add(from))
  }
  return [...importers]
    .filter(([path, from]) => {
      if (!path.startsWith('packages/server/src/') || from.size !== 1 || operationIdOf(path) !== null) return false
      return !/(\.task|module)\.ts$/.test(path) && posix.dirname(path) === posix.dirname([...from][0]!)
    })
    .map(([path]) => path)
}

/**
 * Number of files to read for each operation: its own, and those of its module that it imports, directly or through
 * others.
 */
export function countFilesToRead(tree: SourceTree): number[] {
  const successors = new Map<string, string[]>()
  for (const { from, to } of listImports(tree)) {
    if (to === null || moduleOf(to) === null || moduleOf(to) !== moduleOf(from)) continue
    successors.set(from, [...(successors.get(from) ?? []), to])
  }
  const countReached = (start: string): number => {
    const reached = new Set([start])
    for (const path of reached) for (const next of successors.get(path) ?? []) reached.add(next)
    return reached.size
  }
  return [...tree.code.keys()].filter((path) => isProductCode(path) && operationIdOf(path) !== null).map(countReached)
}

const printedFile =
  /^(docs\/|packages\/client\/|packages\/server\/src\/domains\/handlers\.ts$|packages\/server\/test\/fixtures\/)/

/**
 * Number of hand-written files that name each operation, by its id, by the constant of its declaration or in their name,
 * and how many printed ones.
 */
export function countTouches(tree: SourceTree): { readonly written: number[]; readonly printed: number[] } {
  const texts = [...tree.files].filter(([path]) => /^(packages|docs)\//.test(path))
  const counts = tree.operations.map((id) => {
    const pattern = new RegExp(`(?<![\\w.])(${id.replaceAll('.', String.raw`\.`)}|${declarationOf(id)})(?![\\w.])`)
    const found = texts.filter(([path, text]) => operationIdOf(path) === id || pattern.test(text)).map(([path]) => path)
    const printed = found.filter((path) => printedFile.test(path)).length
    return { written: found.length - printed, printed }
  })
  return { written: counts.map(({ written }) => written), printed: counts.map(({ printed }) => printed) }
}
