import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { camelCaseOf } from '../tidy/operation-files.ts'
import { domainsFolder, operationIdOf } from '../tidy/tree.ts'

/** The imports and the map of the operation files at these paths below `packages/server/src/domains/`. */
export function printHandlers(paths: readonly string[]): string {
  const files = paths
    .map((path) => ({ path, id: operationIdOf(`${domainsFolder}${path}`) }))
    .filter((file): file is { path: string; id: string } => file.id !== null)
    .sort((left, right) => (left.id < right.id ? -1 : 1))
  return [
    '// Printed from the names of the operation files by `npm run generate`. Do not edit.',
    "import type { OperationHandler } from '../engine/handler.ts'",
    ...files.map(({ path, id }) => `import { handler as ${camelCaseOf(id)} } from './${path}'`),
    '',
    '/** The handler of each operation, by operation id. */',
    'export const operationHandlers: ReadonlyMap<string, OperationHandler> = new Map([',
    ...files.map(({ id }) => `  ['${id}', ${camelCaseOf(id)}],`),
    '])',
    '',
  ].join('\n')
}

/** The paths of the files of all modules, relative to the folder of the modules. */
export const listModuleFiles = (root: string): string[] =>
  readdirSync(join(root, domainsFolder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replaceAll('\\', '/'))
