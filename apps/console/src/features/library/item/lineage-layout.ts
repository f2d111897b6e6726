import type { OutputOf } from '@swath/client/operations.ts'

type Lineage = OutputOf<'provenance.get'>
type Node = Lineage['nodes'][number]

export interface PlacedNode {
  readonly id: string
  readonly entity_type: Node['entity_type']
  readonly entity_id: string
  readonly isDeleted: boolean
  /** More nodes than this one stand here. */
  readonly more: number
  readonly column: number
  readonly row: number
}

export interface LineageGraph {
  readonly nodes: readonly PlacedNode[]
  /** Indexes of nodes; the source is on the left. */
  readonly edges: readonly (readonly [source: number, derived: number])[]
  readonly columns: number
  readonly rows: number
}

/** More nodes in a column are summed up. */
const max_rows = 5

const keyOf = (type: string, id: string): string => `${type} ${id}`

/**
 * Places the lineage of one entity in columns: sources on the left by their distance, derived entities on the right.
 * `up` and `down` have the entity itself as their root.
 */
export function layOutLineage(up: Lineage, down: Lineage): LineageGraph {
  const columns = new Map<number, Node[]>()
  const known = new Set<string>()
  const add = (node: Node, column: number): void => {
    const key = keyOf(node.entity_type, node.entity_id)
    if (known.has(key)) return
    known.add(key)
    columns.set(column, [...(columns.get(column) ?? []), node])
  }
  for (const node of up.nodes) add(node, -node.depth)
  for (const node of down.nodes) add(node, node.depth)

  const first = Math.min(0, ...columns.keys())
  const rows = Math.max(1, ...[...columns.values()].map((nodes) => Math.min(nodes.length, max_rows)))
  const nodes: PlacedNode[] = []
  /** The place of each node; those that are summed up share one. */
  const places = new Map<string, number>()
  for (const [column, members] of columns) {
    const shown = members.length > max_rows ? members.slice(0, max_rows - 1) : members
    const hidden = members.slice(shown.length)
    const offset = (rows - shown.length - (hidden.length > 0 ? 1 : 0)) / 2
    const place = (node: Node, row: number, more: number): void => {
      const id = keyOf(node.entity_type, node.entity_id)
      const { entity_type, entity_id, deleted } = node
      nodes.push({ id, entity_type, entity_id, isDeleted: deleted, more, column: column - first, row: row + offset })
    }
    for (const [row, node] of shown.entries()) {
      places.set(keyOf(node.entity_type, node.entity_id), nodes.length)
      place(node, row, 0)
    }
    if (hidden.length === 0) continue
    for (const node of hidden) places.set(keyOf(node.entity_type, node.entity_id), nodes.length)
    place(hidden[0]!, shown.length, hidden.length)
  }
  return { nodes, edges: listEdges([...up.edges, ...down.edges], places), columns: Math.max(0, ...columns.keys()) - first + 1, rows } // prettier-ignore
}

function listEdges(
  edges: Lineage['edges'],
  places: ReadonlyMap<string, number>,
): (readonly [source: number, derived: number])[] {
  const found = new Map<string, readonly [number, number]>()
  for (const { src_type, src_id, dst_type, dst_id } of edges) {
    // `src` originates from `dst`.
    const source = places.get(keyOf(dst_type, dst_id))
    const derived = places.get(keyOf(src_type, src_id))
    if (source !== undefined && derived !== undefined) found.set(`${source} ${derived}`, [source, derived])
  }
  return [...found.values()]
}
