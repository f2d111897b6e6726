import { libraries } from '../boundaries.ts'
import { edgesOf } from '../graph.ts'
import { covers, isProduct, type Rule } from '../tree.ts'

export const librariesRule: Rule = {
  name: 'libraries',
  why: 'A confined library is imported in one place, where it can be replaced.',
  check: (tree) =>
    edgesOf(tree)
      .filter((edge) => edge.to === null && edge.from.startsWith('packages/server/') && isProduct(edge.from))
      .flatMap((edge) =>
        libraries
          .filter((row) => row.library.test(edge.specifier) && !covers(row.files, edge.from))
          .map((row) => ({
            file: edge.from,
            says: `${edge.specifier} may be imported in ${row.files.join(', ')} only: ${row.reason}`,
          })),
      ),
}
