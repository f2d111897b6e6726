import { moduleFile, moduleOfIdPrefix } from '../boundaries.ts'
import { listImports } from '../graph.ts'
import { moduleOf, operationIdOf, operationSuffix, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

const domains = 'packages/server/src/domains/'

/** The file that implements an operation. */
export function operationFile(id: string): string {
  const prefix = id.split('.')[0]!
  return `${domains}${moduleOfIdPrefix[prefix] ?? prefix}/operations/${id}${id.endsWith('.test') ? operationSuffix : ''}.ts`
}

function check(tree: SourceTree): TidyFinding[] {
  const importsByModule = new Map<string, Set<string>>()
  for (const edge of listImports(tree)) {
    if (edge.to !== null && edge.from.endsWith(`/${moduleFile}`)) {
      importsByModule.set(edge.from, (importsByModule.get(edge.from) ?? new Set()).add(edge.to))
    }
  }
  const operationFindings = tree.operations.flatMap((operation): TidyFinding[] => {
    const file = operationFile(operation.id)
    const moduleFilePath = `${domains}${moduleOf(file)}/${moduleFile}`
    if (!operation.implemented) {
      return tree.code.has(file)
        ? [{ file, message: `exists, but the contract does not mark the operation as implemented` }]
        : []
    }
    if (!tree.code.has(file))
      return [{ file, message: `${operation.id} is marked as implemented, but this file is missing` }]
    return importsByModule.get(moduleFilePath)?.has(file)
      ? []
      : [{ file: moduleFilePath, message: `${operation.id} is not registered in its module` }]
  })
  const moduleFolders = new Set(
    [...tree.code.keys()]
      .filter((path) => operationIdOf(path) !== null || path.endsWith(`/${moduleFile}`))
      .map((path) => `${domains}${moduleOf(path)}`),
  )
  const registeredFiles = new Set(
    listImports(tree)
      .filter((edge) => edge.from === `${domains}domains.ts`)
      .map((edge) => edge.to),
  )
  const unregistered = [...moduleFolders]
    .map((moduleFolder) => `${moduleFolder}/${moduleFile}`)
    .filter((moduleFilePath) => tree.code.has(moduleFilePath) && !registeredFiles.has(moduleFilePath))
    .map((file) => ({ file, message: 'is not registered in domains.ts' }))
  return [...operationFindings, ...unregistered]
}

export const operationsRule: TidyRule = {
  name: 'operations',
  reason:
    'Every implemented operation has a file that its module registers, and every module is registered in domains.ts.',
  check,
}
