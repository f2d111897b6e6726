import { roomList } from '../boundaries.ts'
import { edgesOf } from '../graph.ts'
import { isTest, operationIdOf, roomOf, type Rule } from '../tree.ts'

export const leavesRule: Rule = {
  name: 'leaves',
  why: "Nobody imports an operation file but its room's list, so it may use the functions of any room.",
  check: (tree) =>
    edgesOf(tree).flatMap((edge) => {
      if (edge.to === null || operationIdOf(edge.to) === null) return []
      const list = edge.from.endsWith(`/${roomList}`) && roomOf(edge.from) === roomOf(edge.to)
      if (list || isTest(edge.from)) return []
      return [
        {
          file: edge.from,
          says: `${operationIdOf(edge.to)} is an operation file: only its room's ${roomList} may import it`,
        },
      ]
    }),
}
