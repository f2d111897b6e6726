import { bannedNames, allowedIndexFiles } from '../boundaries.ts'
import { declarationFile, declarationFolder, declarationOf, moduleOfOperation } from '../operation-files.ts'
import { isStore, operationIdOf, moduleOf, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Suffixes that name the kind of a file; tests of the long lane have `.long`, declarations of types `.d`. */
const reserved = /(\.long)?\.test$|\.task$|\.d$/

function findProblem(path: string, operations: readonly string[]): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = name.replace(/\.(ts|tsx|mjs)$/, '')
  if (bannedNames.includes(stem.replace(reserved, ''))) return `"${stem}" says nothing about the content`
  if (stem === 'index' && !allowedIndexFiles.includes(path)) return 'an index file hides where things are'
  const id = operationIdOf(path)
  if (id !== null) return findOperationProblem(path, id, operations)
  if (isStore(path)) return null
  const subject = stem.replace(reserved, '')
  // A test is named after its subject, an operation or a store included.
  if (stem.endsWith('.test') && (operations.includes(subject) || subject.startsWith('store.'))) return null
  // Files of the contract and of its test examples are named by the first segments of ids, spelled as on the wire.
  if (/\/(operations|examples)\/[a-z_]+(\.[a-z_]+)*\.ts$/.test(path)) return null
  return kebabCase.test(subject) ? null : `"${stem}" is not in kebab-case`
}

function findOperationProblem(path: string, id: string, operations: readonly string[]): string | null {
  if (!operations.includes(id)) {
    return `${id} is not declared: declare it in ${declarationFile(id, operations)}, or remove this file`
  }
  const module = moduleOfOperation(id)
  return module === moduleOf(path) ? null : `${id} belongs in the module ${module}`
}

/** Declarations of the contract whose constant or file is not the one that their id determines. */
const findDeclarationProblems = (tree: SourceTree): TidyFinding[] =>
  [...tree.code]
    .filter(([file]) => file.startsWith(declarationFolder))
    .flatMap(([file, { text }]) =>
      [...text.matchAll(/^export const (\w+) = operation\(\{\s*id: '([^']+)'/gm)].flatMap(([, constant, id]) => {
        const [name, home] = [declarationOf(id!), declarationFile(id!, tree.operations)]
        return [
          ...(constant === name ? [] : [{ file, message: `${constant} declares ${id} and must be named ${name}` }]),
          ...(file === home ? [] : [{ file, message: `${id} belongs in ${home}` }]),
        ]
      }),
    )

export const namesRule: TidyRule = {
  name: 'names',
  reason: 'An operation id determines its files and its constant, and a file name states the content.',
  check: (tree: SourceTree): TidyFinding[] => {
    const code = [...tree.code.keys()].flatMap((file): TidyFinding[] => {
      const message = findProblem(file, tree.operations)
      return message === null ? [] : [{ file, message }]
    })
    const migrations = [...tree.files.keys()].filter(
      (file) => /\/migrations\/[^/]+\.sql$/.test(file) && !/\/(\d{4}_[a-z0-9_]+|schema)\.sql$/.test(file),
    )
    return [
      ...code,
      ...findDeclarationProblems(tree),
      ...migrations.map((file) => ({ file, message: 'a migration must be named like 0001_what_it_does.sql' })),
    ]
  },
}
