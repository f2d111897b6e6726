import { libraryPermissions } from '../boundaries.ts'
import { listImports } from '../graph.ts'
import { isCovered, isProductCode, type TidyRule } from '../tree.ts'

export const librariesRule: TidyRule = {
  name: 'libraries',
  reason: 'A confined library is imported in one place, where it can be replaced.',
  check: (tree) =>
    listImports(tree)
      .filter(
        (edge) => edge.to === null && /^packages\/(?:server|client)\//.test(edge.from) && isProductCode(edge.from),
      )
      .flatMap((edge) =>
        libraryPermissions
          .filter((permission) => permission.library.test(edge.specifier) && !isCovered(permission.files, edge.from))
          .map((permission) => ({
            file: edge.from,
            message: `${edge.specifier} may be imported in ${permission.files.join(', ')} only: ${permission.reason}`,
          })),
      ),
}
