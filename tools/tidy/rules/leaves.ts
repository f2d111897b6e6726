import { listImports } from '../graph.ts'
import { handlersFile } from '../operation-files.ts'
import { isTest, operationIdOf, type TidyRule } from '../tree.ts'

export const leavesRule: TidyRule = {
  name: 'leaves',
  reason: 'Only the table of handlers imports an operation file, so an operation may use the functions of any module.',
  check: (tree) =>
    listImports(tree).flatMap(({ from, to }) => {
      const id = to === null ? null : operationIdOf(to)
      if (id === null || from === handlersFile || isTest(from)) return []
      return [{ file: from, message: `${id} is an operation file: only handlers.ts may import it` }]
    }),
}
