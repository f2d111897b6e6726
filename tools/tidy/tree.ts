import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSource, type SourceText } from './source-text.ts'

/** Input of the rules: text files by path (slashes, relative to the root) and the ids of the declared operations. */
export interface SourceTree {
  readonly root: string
  readonly files: ReadonlyMap<string, string>
  /** Each code file is scanned once. */
  readonly code: ReadonlyMap<string, SourceText>
  readonly operations: readonly string[]
}

/** One violation of a rule and its file. */
export interface TidyFinding {
  readonly file: string
  readonly message: string
}

export interface TidyRule {
  readonly name: string
  /** The reason for the rule, in one sentence. */
  readonly reason: string
  check(tree: SourceTree): TidyFinding[]
}

const skippedFolders = new Set([
  'node_modules',
  '.git',
  '.data',
  'broken',
  'fixtures',
  'dist',
  'dist-next',
  'dist-previous',
  'tmp',
])
/** Files that describe a counter-example tree and are not part of it. */
const treeMetadataFiles = new Set(['expected.txt', 'operations.json'])
const textFiles = /\.(ts|tsx|mjs|js|json|md|txt|sql|sh|yaml|yml|html|css)$|^\.ci\/|^\.(gitignore|npmrc)$/
const codeFiles = /\.(ts|tsx|mjs)$/

/** Reads a folder as a tree. */
export function readTree(root: string, operations: readonly string[]): SourceTree {
  const files = new Map<string, string>()
  for (const path of walk(root, '')) {
    if (textFiles.test(path) && !treeMetadataFiles.has(path)) files.set(path, readFileSync(join(root, path), 'utf8'))
  }
  const code = new Map(
    [...files].filter(([path]) => codeFiles.test(path)).map(([path, text]) => [path, readSource(text)]),
  )
  return { root, files, code, operations }
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : walk(root, path)
      return entry.isFile() ? [path] : []
    })
}

/** Whether a file or folder exists in the tree, text or not. */
export const exists = (tree: SourceTree, path: string): boolean => existsSync(join(tree.root, path))

/** Whether its owner may run a file of the tree. */
export const isExecutable = (tree: SourceTree, path: string): boolean =>
  (statSync(join(tree.root, path)).mode & 0o100) !== 0

export const isTest = (path: string): boolean =>
  path.endsWith('.test.ts') || /^(packages|apps)\/[^/]+\/(test|bench)\//.test(path)

/** Product code: below a `src` folder and not a test. */
export const isProductCode = (path: string): boolean => /^(packages|apps)\/[^/]+\/src\//.test(path) && !isTest(path)

/** `packages/server/src/http/server.ts` → `packages/server`; null outside the workspaces. */
export const workspaceOf = (path: string): string | null => /^(?:packages|apps)\/[^/]+/.exec(path)?.[0] ?? null

/** The folder of the modules. */
export const domainsFolder = 'packages/server/src/domains/'

/** The module of a file; null for files elsewhere and for those beside the modules. */
export function moduleOf(path: string): string | null {
  if (!path.startsWith(domainsFolder)) return null
  const rest = path.slice(domainsFolder.length).split('/')
  return rest.length > 1 ? rest[0]! : null
}

/** Before the extension of an operation file whose id ends like the name of a test file. */
export const operationSuffix = '.operation'

/** `packages/server/src/domains/orders/operations/orders.get.ts` → `orders.get`; null if the file is not an operation file. */
export function operationIdOf(path: string): string | null {
  if (moduleOf(path) === null) return null
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.(test|task)\.ts$/.test(name) || name.startsWith('store.')) return null
  const stem = name.replace(/\.ts$/, '').replace(/\.operation$/, '')
  return stem.includes('.') ? stem : null
}

export const isStore = (path: string): boolean => /\/store(\.[a-z0-9-]+)?\.ts$/.test(path)

/** True if one of the entries (files, or folders ending in a slash) covers the path. */
export const isCovered = (rows: readonly string[], path: string): boolean =>
  rows.some((row) => (row.endsWith('/') ? path.startsWith(row) : path === row))
