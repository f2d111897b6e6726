import { processTimeStores, sqlFiles } from '../boundaries.ts'
import { edgesOf } from '../graph.ts'
import { covers, isProduct, isStore, roomOf, type Finding, type Rule, type Tree } from '../tree.ts'

const sql = 'packages/server/src/platform/database/sql.ts'

/** A plain `Date` would accept the process time; only the clock of an organization creates an `OrganizationTime`. */
const plainTimes = (tree: Tree): Finding[] =>
  [...tree.code]
    .filter(([path]) => isProduct(path) && isStore(path) && roomOf(path) !== null)
    .filter(([path, source]) => /\bnow\??: Date\b/.test(source.code) && !covers(processTimeStores.files, path))
    .map(([path]) => ({ file: path, says: 'the parameter `now` of a store must be an OrganizationTime' }))

export const storesRule: Rule = {
  name: 'stores',
  why: "SQL is in stores, where a test can find every query; a store imports no other module and uses its organization's time.",
  check: (tree) => [
    ...plainTimes(tree),
    ...edgesOf(tree).flatMap((edge): Finding[] => {
      if (edge.to === null || !isProduct(edge.from)) return []
      const room = roomOf(edge.from)
      const store = isStore(edge.from) && room !== null
      if (edge.to === sql && !store && !covers(sqlFiles.files, edge.from)) {
        return [{ file: edge.from, says: 'SQL is allowed in store.ts and store.<topic>.ts only' }]
      }
      const other = roomOf(edge.to)
      if (store && other !== null && other !== room) {
        return [{ file: edge.from, says: `a store may not import another module (${other})` }]
      }
      return []
    }),
  ],
}
