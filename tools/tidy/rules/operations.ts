import { roomList, roomOfWord } from '../boundaries.ts'
import { edgesOf } from '../graph.ts'
import { operationIdOf, type Finding, type Rule, type Tree } from '../tree.ts'

const domains = 'packages/server/src/domains/'

/** The file that implements an operation. */
export function fileOfOperation(id: string): string {
  const word = id.split('.')[0]!
  return `${domains}${roomOfWord[word] ?? word}/${id}.ts`
}

function check(tree: Tree): Finding[] {
  const listed = new Map<string, Set<string>>()
  for (const edge of edgesOf(tree)) {
    if (edge.to !== null && edge.from.endsWith(`/${roomList}`)) {
      listed.set(edge.from, (listed.get(edge.from) ?? new Set()).add(edge.to))
    }
  }
  const marks = tree.operations.flatMap((operation): Finding[] => {
    const file = fileOfOperation(operation.id)
    const list = `${file.slice(0, file.lastIndexOf('/'))}/${roomList}`
    if (!operation.answered) {
      return tree.code.has(file) ? [{ file, says: `exists, but the contract does not mark the operation as implemented` }] : []
    }
    if (!tree.code.has(file)) return [{ file, says: `${operation.id} is marked as implemented, but this file is missing` }]
    return listed.get(list)?.has(file) ? [] : [{ file: list, says: `${operation.id} is not registered in its module` }]
  })
  const rooms = new Set(
    [...tree.code.keys()]
      .filter((path) => operationIdOf(path) !== null || path.endsWith(`/${roomList}`))
      .map((path) => path.slice(0, path.lastIndexOf('/'))),
  )
  const corridor = new Set(
    edgesOf(tree)
      .filter((edge) => edge.from === `${domains}domains.ts`)
      .map((edge) => edge.to),
  )
  const unknown = [...rooms]
    .map((room) => `${room}/${roomList}`)
    .filter((list) => tree.code.has(list) && !corridor.has(list))
    .map((file) => ({ file, says: 'is not registered in domains.ts' }))
  return [...marks, ...unknown]
}

export const operationsRule: Rule = {
  name: 'operations',
  why: 'Every implemented operation has a file that its module registers, and every module is registered in domains.ts.',
  check,
}
