import { edgesOf, findCircles, successorsOf } from '../graph.ts'
import type { Rule } from '../tree.ts'

export const circlesRule: Rule = {
  name: 'circles',
  why: 'The import graph has no circle, types included: files in a circle can only be understood all at once.',
  check: (tree) =>
    findCircles(
      successorsOf(
        edgesOf(tree)
          .filter((edge) => edge.to !== null && edge.kind === 'import')
          .map((edge) => [edge.from, edge.to!] as const),
      ),
    ).map((files) => ({ file: files[0]!, says: `in a circle: ${files.join(', ')}` })),
}
