import { processStatePermissions } from '../boundaries.ts'
import { isCovered, isProductCode, type SourceTree, type TidyFinding, type TidyRule } from '../tree.ts'

/** A binding at the top level of a module (a line without indentation) that is assigned later, or an empty collection or cache. */
const moduleState =
  /^(?:export )?(?:let\b.*|(?:const|let) \w+(?:\s*:[^=]+)?\s*=\s*(?:new (?:Weak)?(?:Map|Set)(?:<[^()]*>)?\(\)|createBoundedCache\b).*)$/gm

const lineNumber = (text: string, index: number): number => text.slice(0, index).split('\n').length

export const processStateRule: TidyRule = {
  name: 'process-state',
  reason:
    'What lives as long as the process is made in the composition root and handed on; module state would be shared by two applications of one process.',
  check: (tree: SourceTree): TidyFinding[] => {
    const permitted = processStatePermissions.flatMap(({ files }) => files)
    return [...tree.code]
      .filter(([path]) => isProductCode(path) && !isCovered(permitted, path))
      .flatMap(([path, { code }]) =>
        [...code.matchAll(moduleState)].map(({ index }) => ({
          file: path,
          message: `line ${lineNumber(code, index)}: mutable state at module level; make it in the composition root and pass it`,
        })),
      )
  },
}
