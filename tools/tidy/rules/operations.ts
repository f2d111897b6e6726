import { moduleFile } from '../boundaries.ts'
import { listImports } from '../graph.ts'
import { declarationOf, operationFile } from '../operation-files.ts'
import { domainsFolder, type SourceTree, type TidyFinding, type TidyRule } from '../tree.ts'

function findHandlerProblem(tree: SourceTree, id: string): TidyFinding[] {
  const file = operationFile(id)
  const text = tree.code.get(file)?.text
  if (text === undefined) return [{ file, message: `${id} is declared, but this file is missing` }]
  const declaration = declarationOf(id)
  return new RegExp(String.raw`^export const handler = defineHandler\(\s*${declaration}\b`, 'm').test(text)
    ? []
    : [{ file, message: `must begin its implementation with "export const handler = defineHandler(${declaration}"` }]
}

function findUnregisteredModules(tree: SourceTree): TidyFinding[] {
  const registered = new Set(
    listImports(tree)
      .filter(({ from }) => from === `${domainsFolder}domains.ts`)
      .map(({ to }) => to),
  )
  return [...tree.code.keys()]
    .filter((path) => path.startsWith(domainsFolder) && path.endsWith(`/${moduleFile}`) && !registered.has(path))
    .map((file) => ({ file, message: 'is not registered in domains.ts' }))
}

export const operationsRule: TidyRule = {
  name: 'operations',
  reason:
    'Every declared operation has a file that exports its handler under one name, and every module is registered in domains.ts.',
  check: (tree) => [...tree.operations.flatMap((id) => findHandlerProblem(tree, id)), ...findUnregisteredModules(tree)],
}
