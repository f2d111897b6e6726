import { processTimeStores, sqlFiles } from '../boundaries.ts'
import { edgesOf } from '../graph.ts'
import { covers, isProduct, isStore, roomOf, type Finding, type Rule, type Tree } from '../tree.ts'

const sql = 'packages/server/src/platform/database/sql.ts'

/** A plain `Date` would take the time of the process; `OrganizationTime` is made by the clock of an organization only. */
const plainTimes = (tree: Tree): Finding[] =>
  [...tree.code]
    .filter(([path]) => isProduct(path) && isStore(path) && roomOf(path) !== null)
    .filter(([path, source]) => /\bnow\??: Date\b/.test(source.code) && !covers(processTimeStores.files, path))
    .map(([path]) => ({ file: path, says: 'the `now` of a store is an OrganizationTime' }))

export const storesRule: Rule = {
  name: 'stores',
  why: "SQL is written in stores, where a test can find every query; a store knows no other room, and no time but its organization's.",
  check: (tree) => [
    ...plainTimes(tree),
    ...edgesOf(tree).flatMap((edge): Finding[] => {
      if (edge.to === null || !isProduct(edge.from)) return []
      const room = roomOf(edge.from)
      const store = isStore(edge.from) && room !== null
      if (edge.to === sql && !store && !covers(sqlFiles.files, edge.from)) {
        return [{ file: edge.from, says: 'SQL is written in store.ts or store.<topic>.ts only' }]
      }
      const other = roomOf(edge.to)
      if (store && other !== null && other !== room) {
        return [{ file: edge.from, says: `a store may not import another room (${other})` }]
      }
      return []
    }),
  ],
}
