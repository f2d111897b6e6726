import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { ProvenanceEntity } from './edge.ts'
import {
  listProvenanceEdges,
  findTombstones,
  listVisibleProvenanceEntities,
  type ProvenanceEdgeRow,
  type ProvenanceVisibilityFilter,
} from './store.ts'

export type ProvenanceTraceDirection = 'up' | 'down' | 'both'

export interface TracedProvenanceEdge extends ProvenanceEdgeRow {
  /** 1 for the edges of the root itself. */
  readonly depth: number
}

export interface TracedProvenanceNode {
  readonly entity_type: string
  readonly entity_id: string
  readonly depth: number
  /** True if the entity was deleted. */
  readonly deleted: boolean
}

export interface ProvenanceTrace {
  readonly edges: readonly TracedProvenanceEdge[]
  readonly nodes: readonly TracedProvenanceNode[]
  /** True if the trace has more edges than one response contains. */
  readonly truncated: boolean
}

const max_edges = 10_000

const entityKey = (type: string, id: string): string => `${type}\u0000${id}`

type VisitedNode = Omit<TracedProvenanceNode, 'deleted'>

/** The state of a traversal; every node and edge once, at its smallest depth. */
interface Traversal {
  readonly nodes: Map<string, VisitedNode>
  readonly edges: Map<string, TracedProvenanceEdge>
  truncated: boolean
}

/**
 * Traces the provenance of an entity level by level: `up` to its origins, `down` to its derivatives. Cycles are traced
 * once; beyond 10,000 edges the trace is truncated. The traversal skips what the caller may not read (`visible`; null reads
 * all).
 */
export async function traceProvenance(
  db: SqlStatementRunner,
  {
    organization,
    root,
    direction,
    max_depth,
    visible = null,
  }: {
    readonly organization: string
    readonly root: ProvenanceEntity
    readonly direction: ProvenanceTraceDirection
    readonly max_depth: number
    readonly visible?: ProvenanceVisibilityFilter | null
  },
): Promise<ProvenanceTrace> {
  const traversal: Traversal = { nodes: new Map(), edges: new Map(), truncated: false }
  traversal.nodes.set(entityKey(root.type, root.id), { entity_type: root.type, entity_id: root.id, depth: 0 })
  for (const step of direction === 'both' ? (['up', 'down'] as const) : [direction]) {
    const visitedKeys = new Set([entityKey(root.type, root.id)])
    let level: ProvenanceEntity[] = [root]
    for (let depth = 1; depth <= max_depth && level.length > 0 && !traversal.truncated; depth++) {
      const levelEdges = await listProvenanceEdges(db, {
        organization,
        entities: level,
        direction: step,
        limit: max_edges - traversal.edges.size + 1,
      })
      level = addLevel({
        traversal,
        visitedKeys,
        levelEdges: await selectVisibleEdges(db, levelEdges, step, visible),
        step,
        depth,
      })
    }
  }
  const nodes = [...traversal.nodes.values()]
  const tombstones = await findTombstones(
    db,
    organization,
    nodes.map((node) => ({ type: node.entity_type, id: node.entity_id })),
  )
  const deletedKeys = new Set(tombstones.map((tombstone) => entityKey(tombstone.type, tombstone.id)))
  return {
    edges: [...traversal.edges.values()],
    nodes: nodes.map((node) => ({ ...node, deleted: deletedKeys.has(entityKey(node.entity_type, node.entity_id)) })),
    truncated: traversal.truncated,
  }
}

const otherEnd = (edge: ProvenanceEdgeRow, step: 'up' | 'down'): ProvenanceEntity =>
  step === 'up' ? { type: edge.dst_type, id: edge.dst_id } : { type: edge.src_type, id: edge.src_id }

/** The edges to entities that the caller may read. */
async function selectVisibleEdges(
  db: SqlStatementRunner,
  edges: readonly ProvenanceEdgeRow[],
  step: 'up' | 'down',
  visible: ProvenanceVisibilityFilter | null,
): Promise<readonly ProvenanceEdgeRow[]> {
  if (visible === null || edges.length === 0) return edges
  const ends = edges.map((edge) => otherEnd(edge, step))
  const visitedKeys = new Set(
    (await listVisibleProvenanceEntities(db, ends, visible)).map(({ type, id }) => entityKey(type, id)),
  )
  return edges.filter((_, index) => visitedKeys.has(entityKey(ends[index]!.type, ends[index]!.id)))
}

/** Adds the edges of a level and returns the entities of the next level. */
function addLevel({
  traversal,
  visitedKeys,
  levelEdges,
  step,
  depth,
}: {
  readonly traversal: Traversal
  readonly visitedKeys: Set<string>
  readonly levelEdges: readonly ProvenanceEdgeRow[]
  readonly step: 'up' | 'down'
  readonly depth: number
}): ProvenanceEntity[] {
  const next: ProvenanceEntity[] = []
  for (const edge of levelEdges) {
    if (traversal.edges.size >= max_edges) {
      traversal.truncated = true
      break
    }
    const key = [edge.src_type, edge.src_id, edge.dst_type, edge.dst_id, edge.relation].join('\u0000')
    if (!traversal.edges.has(key)) traversal.edges.set(key, { ...edge, depth })
    const entity = otherEnd(edge, step)
    const nodeKey = entityKey(entity.type, entity.id)
    if (visitedKeys.has(nodeKey)) continue
    visitedKeys.add(nodeKey)
    next.push(entity)
    if (!traversal.nodes.has(nodeKey))
      traversal.nodes.set(nodeKey, { entity_type: entity.type, entity_id: entity.id, depth })
  }
  return next
}
