import { listImports, findCycles, buildSuccessors } from '../graph.ts'
import type { TidyRule } from '../tree.ts'

export const cyclesRule: TidyRule = {
  name: 'cycles',
  reason: 'The import graph has no cycle, type imports included: files in a cycle can only be understood together.',
  check: (tree) =>
    findCycles(
      buildSuccessors(
        listImports(tree)
          .filter((edge) => edge.to !== null && edge.kind === 'import')
          .map((edge) => [edge.from, edge.to!] as const),
      ),
    ).map((files) => ({ file: files[0]!, message: `in an import cycle: ${files.join(', ')}` })),
}
