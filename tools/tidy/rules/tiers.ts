import { registryFiles, moduleFile, tiers } from '../boundaries.ts'
import { listImports, findCycles, buildSuccessors, type ImportEdge } from '../graph.ts'
import {
  domainsFolder,
  isTest,
  operationIdOf,
  moduleOf,
  type TidyFinding,
  type TidyRule,
  type SourceTree,
} from '../tree.ts'

const tierIndex = (module: string): number => tiers.findIndex((tier) => tier.modules.includes(module))
const isModuleFile = (path: string): boolean => path.endsWith(`/${moduleFile}`)

/** Functions, stores and tasks: the files to which the order of the tiers applies. */
const isFunctionFile = (path: string): boolean =>
  moduleOf(path) !== null && !isTest(path) && operationIdOf(path) === null && !isModuleFile(path)

function findStrayFiles(tree: SourceTree): TidyFinding[] {
  return [...tree.code.keys()].flatMap((file): TidyFinding[] => {
    if (!file.startsWith(domainsFolder)) return []
    const module = moduleOf(file)
    if (module !== null)
      return tierIndex(module) === -1 ? [{ file, message: `the module ${module} is in no tier` }] : []
    const isKnown = (registryFiles as readonly string[]).includes(file.slice(domainsFolder.length)) || isTest(file)
    return isKnown ? [] : [{ file, message: 'only modules and registry files are allowed here' }]
  })
}

function findViolation(edge: ImportEdge): string | null {
  const from = moduleOf(edge.from)
  const to = moduleOf(edge.to!)
  if (from === null || isTest(edge.from)) return null
  if (to === null)
    return edge.to!.startsWith(domainsFolder) ? `a module may not import ${edge.to!.slice(domainsFolder.length)}` : null
  if (from === to) return null
  if (isModuleFile(edge.from)) return `the module file of ${from} may import files of its own module only`
  if (isModuleFile(edge.to!)) return `the module file of ${to} may be imported by registry files only`
  if (!isFunctionFile(edge.from) || tierIndex(to) <= tierIndex(from)) return null
  return `${from} (tier ${tiers[tierIndex(from)]?.letter}) may not import ${to} (tier ${tiers[tierIndex(to)]?.letter})`
}

/** Modules of one tier may import each other in one direction only. */
function findModuleCycles(edges: readonly ImportEdge[]): TidyFinding[] {
  const moduleImports = edges
    .filter((edge) => isFunctionFile(edge.from) && isFunctionFile(edge.to!))
    .map((edge) => [moduleOf(edge.from)!, moduleOf(edge.to!)!] as const)
    .filter(([from, to]) => from !== to && tierIndex(to) <= tierIndex(from))
  return findCycles(buildSuccessors(moduleImports)).map((modules) => ({
    file: `${domainsFolder}${modules[0]}`,
    message: `the modules ${modules.join(', ')} form an import cycle`,
  }))
}

export const tiersRule: TidyRule = {
  name: 'tiers',
  reason: 'A module may import from an earlier tier, never from a later one; upwards it publishes events.',
  check: (tree) => {
    const edges = listImports(tree).filter((edge) => edge.to !== null)
    const found = edges.flatMap((edge): TidyFinding[] => {
      const message = findViolation(edge)
      return message === null ? [] : [{ file: edge.from, message }]
    })
    return [...findStrayFiles(tree), ...found, ...findModuleCycles(edges)]
  },
}
