import { bannedNames, allowedIndexFiles, moduleOfIdPrefix } from '../boundaries.ts'
import { isStore, operationIdOf, moduleOf, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

const declarationFolder = 'packages/contract/src/operations/'
/** Fewer declarations do not fill a file of their own. */
const min_declarations = 3

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Suffixes that name the kind of a file; tests of the long lane have `.long`, declarations of types `.d`. */
const reserved = /(\.long)?\.test$|\.task$|\.d$/

function findProblem(path: string, operations: ReadonlySet<string>): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = name.replace(/\.(ts|tsx|mjs)$/, '')
  if (bannedNames.includes(stem.replace(reserved, ''))) return `"${stem}" says nothing about the content`
  if (stem === 'index' && !allowedIndexFiles.includes(path)) return 'an index file hides where things are'
  const id = operationIdOf(path)
  if (id !== null) return findOperationProblem(path, id, operations)
  if (isStore(path)) return null
  const subject = stem.replace(reserved, '')
  // A test is named after what it tests, an operation or a store included.
  if (stem.endsWith('.test') && (operations.has(subject) || subject.startsWith('store.'))) return null
  // Files of the contract and of its test examples are named by the first segments of ids, spelled as on the wire.
  if (/\/(operations|examples)\/[a-z_]+(\.[a-z_]+)*\.ts$/.test(path)) return null
  return kebabCase.test(subject) ? null : `"${stem}" is not in kebab-case`
}

function findOperationProblem(path: string, id: string, operations: ReadonlySet<string>): string | null {
  if (!operations.has(id)) return `${id} is not an operation of the registry`
  const prefix = id.split('.')[0]!
  const module = moduleOfIdPrefix[prefix] ?? prefix
  return module === moduleOf(path) ? null : `${id} belongs in the module ${module}`
}

/** `items.tile.wmts_get_tile` → `itemsTileWmtsGetTileOperation`: without the suffix it reads like a function or a value. */
const constantOf = (id: string): string =>
  `${id.replace(/[._]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Operation`

interface Declaration {
  readonly file: string
  readonly constant: string
  readonly id: string
}

/** The operations that the contract declares, as its text has them. */
const listDeclarations = (tree: SourceTree): Declaration[] =>
  [...tree.code]
    .filter(([file]) => file.startsWith(declarationFolder))
    .flatMap(([file, { text }]) =>
      [...text.matchAll(/^export const (\w+) = operation\(\{\s*id: '([^']+)'/gm)].map(([, constant, id]) => ({
        file,
        constant: constant!,
        id: id!,
      })),
    )

const firstWords = (id: string, count: number): string => id.split('.').slice(0, count).join('.')

/**
 * The file of a declaration follows from the ids alone: the first two words if at least `min_declarations` ids begin with
 * them, else the first word.
 */
function findDeclarationProblems(declarations: readonly Declaration[]): TidyFinding[] {
  const groups = Map.groupBy(declarations, ({ id }) => firstWords(id, 2))
  return declarations.flatMap(({ file, constant, id }) => {
    const isLargeGroup = groups.get(firstWords(id, 2))!.length >= min_declarations
    const home = `${declarationFolder}${firstWords(id, isLargeGroup ? 2 : 1)}.ts`
    return [
      ...(constant === constantOf(id) ? [] : [`${constant} declares ${id} and must be named ${constantOf(id)}`]),
      ...(file === home ? [] : [`${id} belongs in ${home}`]),
    ].map((message) => ({ file, message }))
  })
}

export const namesRule: TidyRule = {
  name: 'names',
  reason: 'An operation id determines its files and its constant, and a file name states the content.',
  check: (tree: SourceTree): TidyFinding[] => {
    const operations = new Set(tree.operations.map((operation) => operation.id))
    const code = [...tree.code.keys()].flatMap((file): TidyFinding[] => {
      const message = findProblem(file, operations)
      return message === null ? [] : [{ file, message }]
    })
    const migrations = [...tree.files.keys()].filter(
      (file) => /\/migrations\/[^/]+\.sql$/.test(file) && !/\/(\d{4}_[a-z0-9_]+|schema)\.sql$/.test(file),
    )
    return [
      ...code,
      ...findDeclarationProblems(listDeclarations(tree)),
      ...migrations.map((file) => ({ file, message: 'a migration must be named like 0001_what_it_does.sql' })),
    ]
  },
}
