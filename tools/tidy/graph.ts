import { posix } from 'node:path'
import type { SourceTree } from './tree.ts'

export interface ImportEdge {
  readonly from: string
  /** The imported file of this repository; null for libraries and Node's built-in modules. */
  readonly to: string | null
  readonly specifier: string
  readonly kind: 'import' | 'url'
}

const workspaceSpecifier = /^@swath\/([a-z-]+)(?:\/(.+))?$/

/** Every import of every code file, resolved to a file of the repository. Type imports count as dependencies, too. */
export function listImports(tree: SourceTree): ImportEdge[] {
  return [...tree.code].flatMap(([from, source]) =>
    source.imports.flatMap(({ specifier, kind }) => {
      const to = resolve(from, specifier, kind)
      // A URL of something that is not code (a folder, an image) is not a dependency.
      return kind === 'url' && !tree.code.has(to!) ? [] : [{ from, to, specifier, kind }]
    }),
  )
}

function resolve(from: string, specifier: string, kind: ImportEdge['kind']): string | null {
  if (specifier.startsWith('.') || kind === 'url') return posix.join(posix.dirname(from), specifier)
  const name = workspaceSpecifier.exec(specifier)
  if (!name) return null
  const folder = name[1] === 'console' ? 'apps/console' : `packages/${name[1]}`
  if (name[2] !== undefined) return `${folder}/src/${name[2]}`
  return name[1] === 'client' ? `${folder}/src/client.ts` : `${folder}/src/index.ts`
}

/** The successors of each node, without duplicates. */
export function buildSuccessors(pairs: Iterable<readonly [from: string, to: string]>): Map<string, string[]> {
  const successors = new Map<string, Set<string>>()
  for (const [from, to] of pairs) successors.set(from, (successors.get(from) ?? new Set()).add(to))
  return new Map([...successors].map(([from, to]) => [from, [...to].sort()]))
}

/**
 * All cycles of a graph as groups of nodes that reach each other (Tarjan's strongly connected components, 1972); a single
 * node counts only with an edge to itself.
 */
export function findCycles(successors: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function visit(node: string): void {
    const index = order.size
    order.set(node, index)
    lowest.set(node, index)
    stack.push(node)
    for (const next of successors.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!))
    }
    if (lowest.get(node) !== index) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1 || successors.get(node)?.includes(node)) cycles.push(group.sort())
  }

  for (const node of [...successors.keys()].sort()) if (!order.has(node)) visit(node)
  return cycles
}

/** All nodes reachable from the start nodes, including these. */
export function findReachable(
  starts: readonly string[],
  successors: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const reached = new Set<string>()
  const open = [...starts]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    open.push(...(successors.get(node) ?? []))
  }
  return reached
}
