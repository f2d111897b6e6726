import { corridorFiles, roomList, streets } from '../boundaries.ts'
import { edgesOf, findCircles, successorsOf, type Edge } from '../graph.ts'
import { isTest, operationIdOf, roomOf, type Finding, type Rule, type Tree } from '../tree.ts'

const domains = 'packages/server/src/domains/'
const streetOf = (room: string): number => streets.findIndex((street) => street.rooms.includes(room))
const isList = (path: string): boolean => path.endsWith(`/${roomList}`)

/** Functions, stores and tasks: the files to which the order of the tiers applies. */
const isFunctionFile = (path: string): boolean =>
  roomOf(path) !== null && !isTest(path) && operationIdOf(path) === null && !isList(path)

function strayFiles(tree: Tree): Finding[] {
  return [...tree.code.keys()].flatMap((file): Finding[] => {
    if (!file.startsWith(domains)) return []
    const room = roomOf(file)
    if (room !== null) return streetOf(room) === -1 ? [{ file, says: `the module ${room} is in no tier` }] : []
    const known = (corridorFiles as readonly string[]).includes(file.slice(domains.length)) || isTest(file)
    return known ? [] : [{ file, says: 'only modules and registry files are allowed here' }]
  })
}

function judge(edge: Edge): string | null {
  const from = roomOf(edge.from)
  const to = roomOf(edge.to!)
  if (from === null || isTest(edge.from)) return null
  if (to === null)
    return edge.to!.startsWith(domains) ? `a module may not import ${edge.to!.slice(domains.length)}` : null
  if (from === to) return null
  if (isList(edge.from)) return `the module file of ${from} may import files of its own module only`
  if (isList(edge.to!)) return `the module file of ${to} may be imported by registry files only`
  if (!isFunctionFile(edge.from) || streetOf(to) <= streetOf(from)) return null
  return `${from} (tier ${streets[streetOf(from)]?.letter}) may not import ${to} (tier ${streets[streetOf(to)]?.letter})`
}

/** Modules of one tier may import each other in one direction only. */
function roomCircles(edges: readonly Edge[]): Finding[] {
  const between = edges
    .filter((edge) => isFunctionFile(edge.from) && isFunctionFile(edge.to!))
    .map((edge) => [roomOf(edge.from)!, roomOf(edge.to!)!] as const)
    .filter(([from, to]) => from !== to && streetOf(to) <= streetOf(from))
  return findCircles(successorsOf(between)).map((rooms) => ({
    file: `${domains}${rooms[0]}`,
    says: `the modules ${rooms.join(', ')} form an import cycle`,
  }))
}

export const streetsRule: Rule = {
  name: 'tiers',
  why: 'A module may import from an earlier tier, never from a later one; upwards it publishes events.',
  check: (tree) => {
    const edges = edgesOf(tree).filter((edge) => edge.to !== null)
    const found = edges.flatMap((edge): Finding[] => {
      const says = judge(edge)
      return says === null ? [] : [{ file: edge.from, says }]
    })
    return [...strayFiles(tree), ...found, ...roomCircles(edges)]
  },
}
