import { moduleOfIdPrefix } from './boundaries.ts'
import { domainsFolder, operationSuffix } from './tree.ts'

/** The folder of the declarations of the contract. */
export const declarationFolder = 'packages/contract/src/operations/'

/** The printed table of handlers: the only file that may import an operation file. */
export const handlersFile = `${domainsFolder}handlers.ts`

/** Fewer declarations do not fill a file of their own. */
const min_declarations = 3

const firstWords = (id: string, count: number): string => id.split('.').slice(0, count).join('.')

/**
 * The file that declares an operation. It follows from the ids of all operations: it is named by the first two words if
 * at least `min_declarations` ids begin with them, else by the first word.
 */
export function declarationFile(id: string, operations: readonly string[]): string {
  const [word, words] = [firstWords(id, 1), firstWords(id, 2)]
  const group = new Set([...operations, id].filter((other) => firstWords(other, 2) === words))
  return `${declarationFolder}${group.size < min_declarations ? word : words}.ts`
}

/** The module that implements an operation: the longest prefix of its id that a module owns decides. */
export function moduleOfOperation(id: string): string {
  const words = id.split('.')
  const prefixes = words.map((_, index) => words.slice(0, words.length - index).join('.'))
  const owned = prefixes.find((prefix) => Object.hasOwn(moduleOfIdPrefix, prefix))
  return owned === undefined ? words[0]! : moduleOfIdPrefix[owned]!
}

/** The file that implements an operation. */
export function operationFile(id: string): string {
  const suffix = id.endsWith('.test') ? operationSuffix : ''
  return `${domainsFolder}${moduleOfOperation(id)}/operations/${id}${suffix}.ts`
}

/** `items.tile.wmts_get_tile` → `itemsTileWmtsGetTile`: how code names what belongs to an operation. */
export const camelCaseOf = (id: string): string =>
  id.replace(/[._]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The constant of a declaration: without the suffix it reads like a function or a value. */
export const declarationOf = (id: string): string => `${camelCaseOf(id)}Operation`
