import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutputOf } from '@swath/client/operations.ts'
import { layOutLineage } from './lineage-layout.ts'

type Lineage = OutputOf<'provenance.get'>
type EntityType = Lineage['root']['entity_type']
type Row = readonly [type: EntityType, id: string, depth: number]

const root = { entity_type: 'item', entity_id: 'i' } as const
const lineage = (direction: 'up' | 'down', rows: readonly Row[], edges: readonly (readonly [Row, Row])[]): Lineage => ({
  root,
  direction,
  truncated: false,
  nodes: [['item', 'i', 0] as const, ...rows].map(([entity_type, entity_id, depth]) => ({
    entity_type,
    entity_id,
    depth,
    deleted: false,
  })),
  edges: edges.map(([[src_type, src_id], [dst_type, dst_id, depth]]) => ({
    src_type,
    src_id,
    dst_type,
    dst_id,
    depth: Math.max(1, depth),
    relation: 'derived_from' as const,
    invocation_id: null,
  })),
})
const item: Row = ['item', 'i', 0]
const order: Row = ['order', 'o', 1]

test('sources are left of the item, derived items are right of it', () => {
  const scene: Row = ['capture', 'c', 2]
  const copy: Row = ['item', 'copy', 1]
  const graph = layOutLineage(
    lineage('up', [order, scene], [[item, order], [order, scene]]), // prettier-ignore
    lineage('down', [copy], [[copy, item]]),
  )
  const columns = Object.fromEntries(graph.nodes.map(({ entity_id, column }) => [entity_id, column]))
  assert.deepEqual(columns, { c: 0, o: 1, i: 2, copy: 3 })
  assert.equal(graph.columns, 4)
  const names = graph.edges.map(([source, derived]) => [
    graph.nodes[source]!.entity_id,
    graph.nodes[derived]!.entity_id,
  ])
  assert.deepEqual(names, [['o', 'i'], ['c', 'o'], ['i', 'copy']]) // prettier-ignore
})

test('a crowd of nodes is summed up, and one line leads to it', () => {
  const scenes = Array.from({ length: 12 }, (_, index): Row => ['capture', `c${index}`, 2])
  const edges = scenes.map((scene) => [order, scene] as const)
  const graph = layOutLineage(lineage('up', [order, ...scenes], [[item, order], ...edges]), lineage('down', [], []))
  assert.equal(graph.rows, 5)
  assert.equal(graph.nodes.filter(({ column }) => column === 0).length, 5)
  assert.equal(graph.nodes.find(({ more }) => more > 0)!.more, 8)
  assert.equal(graph.edges.length, 6)
})

test('an item without lineage stands alone', () => {
  const graph = layOutLineage(lineage('up', [], []), lineage('down', [], []))
  assert.deepEqual([graph.nodes.length, graph.edges.length, graph.columns, graph.rows], [1, 0, 1, 1])
})
