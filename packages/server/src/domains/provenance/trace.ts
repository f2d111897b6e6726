import type { Queryable } from '../../platform/database/database.ts'
import type { Entity } from './edge.ts'
import { edgesOf, tombstonesAmong, visibleAmong, type EdgeRow, type Visible } from './store.ts'

export type Direction = 'up' | 'down' | 'both'

export interface TracedEdge extends EdgeRow {
  /** 1 for the edges of the root itself. */
  readonly depth: number
}

export interface TracedNode {
  readonly entity_type: string
  readonly entity_id: string
  readonly depth: number
  /** True if the entity was deleted. */
  readonly deleted: boolean
}

export interface Trace {
  readonly edges: readonly TracedEdge[]
  readonly nodes: readonly TracedNode[]
  /** True if the trace has more edges than one response contains. */
  readonly truncated: boolean
}

const limit_edges = 10_000

const keyOf = (type: string, id: string): string => `${type}\u0000${id}`

type Found = Omit<TracedNode, 'deleted'>

/** The state of a traversal; every node and edge once, at its smallest depth. */
interface Walk {
  readonly nodes: Map<string, Found>
  readonly edges: Map<string, TracedEdge>
  truncated: boolean
}

/**
 * Traces the provenance of an entity level by level: `up` to its origins, `down` to its derivatives. Cycles are traced
 * once; beyond 10,000 edges the trace is truncated. The traversal skips what the caller may not read (`visible`; null reads
 * all).
 */
export async function trace(
  db: Queryable,
  organization: string,
  root: Entity,
  direction: Direction,
  max_depth: number,
  visible: Visible | null = null,
): Promise<Trace> {
  const walk: Walk = { nodes: new Map(), edges: new Map(), truncated: false }
  walk.nodes.set(keyOf(root.type, root.id), { entity_type: root.type, entity_id: root.id, depth: 0 })
  for (const way of direction === 'both' ? (['up', 'down'] as const) : [direction]) {
    const seen = new Set([keyOf(root.type, root.id)])
    let level: Entity[] = [root]
    for (let depth = 1; depth <= max_depth && level.length > 0 && !walk.truncated; depth++) {
      const found = await edgesOf(db, organization, level, way, limit_edges - walk.edges.size + 1)
      level = takeLevel(walk, seen, await seenEdges(db, found, way, visible), way, depth)
    }
  }
  const nodes = [...walk.nodes.values()]
  const graves = await tombstonesAmong(
    db,
    organization,
    nodes.map((node) => ({ type: node.entity_type, id: node.entity_id })),
  )
  const gone = new Set(graves.map((grave) => keyOf(grave.type, grave.id)))
  return {
    edges: [...walk.edges.values()],
    nodes: nodes.map((node) => ({ ...node, deleted: gone.has(keyOf(node.entity_type, node.entity_id)) })),
    truncated: walk.truncated,
  }
}

const farEnd = (edge: EdgeRow, way: 'up' | 'down'): Entity =>
  way === 'up' ? { type: edge.dst_type, id: edge.dst_id } : { type: edge.src_type, id: edge.src_id }

/** The edges to entities that the caller may read. */
async function seenEdges(
  db: Queryable,
  edges: readonly EdgeRow[],
  way: 'up' | 'down',
  visible: Visible | null,
): Promise<readonly EdgeRow[]> {
  if (visible === null || edges.length === 0) return edges
  const ends = edges.map((edge) => farEnd(edge, way))
  const seen = new Set((await visibleAmong(db, ends, visible)).map(({ type, id }) => keyOf(type, id)))
  return edges.filter((_, index) => seen.has(keyOf(ends[index]!.type, ends[index]!.id)))
}

/** Adds the edges of a level and returns the entities of the next level. */
function takeLevel(
  walk: Walk,
  seen: Set<string>,
  found: readonly EdgeRow[],
  way: 'up' | 'down',
  depth: number,
): Entity[] {
  const next: Entity[] = []
  for (const edge of found) {
    if (walk.edges.size >= limit_edges) {
      walk.truncated = true
      break
    }
    const key = [edge.src_type, edge.src_id, edge.dst_type, edge.dst_id, edge.relation].join('\u0000')
    if (!walk.edges.has(key)) walk.edges.set(key, { ...edge, depth })
    const there = farEnd(edge, way)
    const at = keyOf(there.type, there.id)
    if (seen.has(at)) continue
    seen.add(at)
    next.push(there)
    if (!walk.nodes.has(at)) walk.nodes.set(at, { entity_type: there.type, entity_id: there.id, depth })
  }
  return next
}
