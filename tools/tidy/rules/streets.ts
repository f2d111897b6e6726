import { corridorFiles, roomList, streets } from '../boundaries.ts'
import { edgesOf, findCircles, successorsOf, type Edge } from '../graph.ts'
import { isTest, operationIdOf, roomOf, type Finding, type Rule, type Tree } from '../tree.ts'

const domains = 'packages/server/src/domains/'
const streetOf = (room: string): number => streets.findIndex((street) => street.rooms.includes(room))
const isList = (path: string): boolean => path.endsWith(`/${roomList}`)

/** Functions, stores and tasks: the files for which the order of the streets counts. */
const isFunctionFile = (path: string): boolean =>
  roomOf(path) !== null && !isTest(path) && operationIdOf(path) === null && !isList(path)

function strayFiles(tree: Tree): Finding[] {
  return [...tree.code.keys()].flatMap((file): Finding[] => {
    if (!file.startsWith(domains)) return []
    const room = roomOf(file)
    if (room !== null) return streetOf(room) === -1 ? [{ file, says: `the room ${room} stands on no street` }] : []
    const known = (corridorFiles as readonly string[]).includes(file.slice(domains.length)) || isTest(file)
    return known ? [] : [{ file, says: 'only rooms and the corridor files stand here' }]
  })
}

function judge(edge: Edge): string | null {
  const from = roomOf(edge.from)
  const to = roomOf(edge.to!)
  if (from === null || isTest(edge.from)) return null
  if (to === null)
    return edge.to!.startsWith(domains) ? `a room may not import ${edge.to!.slice(domains.length)}` : null
  if (from === to) return null
  if (isList(edge.from)) return `the list of ${from} may name files of its own room only`
  if (isList(edge.to!)) return `the list of ${to} is read by the corridor only`
  if (!isFunctionFile(edge.from) || streetOf(to) <= streetOf(from)) return null
  return `${from} (street ${streets[streetOf(from)]?.letter}) may not walk up to ${to} (street ${streets[streetOf(to)]?.letter})`
}

/** Rooms of one street may know each other in one direction only. */
function roomCircles(edges: readonly Edge[]): Finding[] {
  const between = edges
    .filter((edge) => isFunctionFile(edge.from) && isFunctionFile(edge.to!))
    .map((edge) => [roomOf(edge.from)!, roomOf(edge.to!)!] as const)
    .filter(([from, to]) => from !== to && streetOf(to) <= streetOf(from))
  return findCircles(successorsOf(between)).map((rooms) => ({
    file: `${domains}${rooms[0]}`,
    says: `the rooms ${rooms.join(', ')} stand in a circle`,
  }))
}

export const streetsRule: Rule = {
  name: 'streets',
  why: 'A room may walk to an earlier street, never to a later one; what goes up is an event.',
  check: (tree) => {
    const edges = edgesOf(tree).filter((edge) => edge.to !== null)
    const found = edges.flatMap((edge): Finding[] => {
      const says = judge(edge)
      return says === null ? [] : [{ file: edge.from, says }]
    })
    return [...strayFiles(tree), ...found, ...roomCircles(edges)]
  },
}
