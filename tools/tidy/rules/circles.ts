import { edgesOf, findCircles, successorsOf } from '../graph.ts'
import type { Rule } from '../tree.ts'

export const circlesRule: Rule = {
  name: 'cycles',
  why: 'The import graph has no cycle, type imports included: files in a cycle can only be understood together.',
  check: (tree) =>
    findCircles(
      successorsOf(
        edgesOf(tree)
          .filter((edge) => edge.to !== null && edge.kind === 'import')
          .map((edge) => [edge.from, edge.to!] as const),
      ),
    ).map((files) => ({ file: files[0]!, says: `in an import cycle: ${files.join(', ')}` })),
}
