import { moduleFile } from '../boundaries.ts'
import { listImports } from '../graph.ts'
import { isTest, operationIdOf, moduleOf, type TidyRule } from '../tree.ts'

export const leavesRule: TidyRule = {
  name: 'leaves',
  reason: 'Only the module file imports an operation file, so an operation may use the functions of any module.',
  check: (tree) =>
    listImports(tree).flatMap((edge) => {
      if (edge.to === null || operationIdOf(edge.to) === null) return []
      const isModuleFile = edge.from.endsWith(`/${moduleFile}`) && moduleOf(edge.from) === moduleOf(edge.to)
      if (isModuleFile || isTest(edge.from)) return []
      return [
        {
          file: edge.from,
          message: `${operationIdOf(edge.to)} is an operation file: only the ${moduleFile} of its module may import it`,
        },
      ]
    }),
}
