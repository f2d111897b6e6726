import { roomList } from '../boundaries.ts'
import { edgesOf } from '../graph.ts'
import { isTest, operationIdOf, roomOf, type Rule } from '../tree.ts'

export const leavesRule: Rule = {
  name: 'leaves',
  why: 'Only the module file imports an operation file, so an operation may use the functions of any module.',
  check: (tree) =>
    edgesOf(tree).flatMap((edge) => {
      if (edge.to === null || operationIdOf(edge.to) === null) return []
      const list = edge.from.endsWith(`/${roomList}`) && roomOf(edge.from) === roomOf(edge.to)
      if (list || isTest(edge.from)) return []
      return [
        {
          file: edge.from,
          says: `${operationIdOf(edge.to)} is an operation file: only the ${roomList} of its module may import it`,
        },
      ]
    }),
}
