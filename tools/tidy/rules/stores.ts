import { processTimePermission, sqlPermission } from '../boundaries.ts'
import { listImports } from '../graph.ts'
import {
  isCovered,
  isProductCode,
  isStore,
  moduleOf,
  type TidyFinding,
  type TidyRule,
  type SourceTree,
} from '../tree.ts'

const sqlModule = 'packages/server/src/platform/database/sql.ts'

/**
 * A plain `Date` would accept either clock; only the clock of an organization creates an `OrganizationTime`, and only
 * `toProcessClockTime` a `ProcessClockTime`.
 */
const findPlainTimes = (tree: SourceTree): TidyFinding[] =>
  [...tree.code]
    .filter(([path]) => isProductCode(path) && isStore(path) && moduleOf(path) !== null)
    .flatMap(([path, { code }]) => [
      ...(/\bnow\??: Date\b/.test(code) && !isCovered(processTimePermission.files, path)
        ? [{ file: path, message: 'the parameter `now` of a store must be an OrganizationTime' }]
        : []),
      ...(/\blease\w*\??: (Date|OrganizationTime)\b/.test(code)
        ? [{ file: path, message: 'a lease of a store must be a ProcessClockTime' }]
        : []),
    ])

/** The verbs of store functions, one for each action. `mark` moves a row to another state, `with` runs a function. */
const storeVerbs =
  'insert upsert update mark move delete find list count sum is has lock claim renew release with'.split(' ')
const startsWithVerb = new RegExp(`^(${storeVerbs.join('|')})(?![a-z])`)

/** Exported functions that return a promise, and so run statements. */
const statementFunctions =
  /^export (?:async function (\w+)|(?:function|const) (\w+)(?: = )?(?:<\w+>)?\((?:[^()]|\([^()]*\))*\): Promise<)/gm

const findOtherVerbs = (tree: SourceTree): TidyFinding[] =>
  [...tree.code]
    .filter(([path]) => isProductCode(path) && isStore(path))
    .flatMap(([file, { code }]) =>
      [...code.matchAll(statementFunctions)]
        .map(([, declared, other]) => declared ?? other ?? '')
        .filter((name) => !startsWithVerb.test(name))
        .map((name) => ({
          file,
          message: `${name} begins with none of the verbs of stores: ${storeVerbs.join(', ')}`,
        })),
    )

export const storesRule: TidyRule = {
  name: 'stores',
  reason:
    "SQL is in stores, where a test can find every query; a store imports no other module, has one verb for one thing, uses its organization's time, and counts leases on the clock of the process.",
  check: (tree) => [
    ...findPlainTimes(tree),
    ...findOtherVerbs(tree),
    ...listImports(tree).flatMap((edge): TidyFinding[] => {
      if (edge.to === null || !isProductCode(edge.from)) return []
      const module = moduleOf(edge.from)
      const isModuleStore = isStore(edge.from) && module !== null
      if (edge.to === sqlModule && !isModuleStore && !isCovered(sqlPermission.files, edge.from)) {
        return [{ file: edge.from, message: 'SQL is allowed in store.ts and store.<topic>.ts only' }]
      }
      const otherModule = moduleOf(edge.to)
      if (isModuleStore && otherModule !== null && otherModule !== module) {
        return [{ file: edge.from, message: `a store may not import another module (${otherModule})` }]
      }
      return []
    }),
  ],
}
