import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../platform/database/sql.ts'
import { openHoldings } from '../../../test/holdings.ts'
import type { Edge, Entity } from './edge.ts'
import { bury, record, unbury } from './record.ts'
import { relatives } from './relatives.ts'
import { trace, type Direction } from './trace.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  holdings = await openHoldings()
})
after(() => holdings?.close())

const item = (id: string): Entity => ({ type: 'item', id })
const from = (src: string, dst: string, relation: Edge['relation'] = 'derived_from'): Edge => ({
  relation,
  src: item(src),
  dst: item(dst),
})

/** Creates an organization with these edges. */
async function graph(...edges: readonly Edge[]) {
  const { owner, organization } = await holdings.organize()
  await owner.transaction((tx) => record(tx, owner, edges))
  const walk = (id: string, direction: Direction, depth = 20) =>
    trace(owner.db, organization, item(id), direction, depth)
  const nodes = async (id: string, direction: Direction, depth?: number): Promise<string> =>
    (await walk(id, direction, depth)).nodes.map((node) => `${node.entity_id}${node.depth}`).join(' ')
  return { owner, organization, walk, nodes }
}

test('a trace goes up, down and both ways by level, with every node at its smallest depth', async () => {
  const { nodes, walk } = await graph(
    from('d', 'b'),
    from('d', 'c'),
    from('b', 'a'),
    from('c', 'a'),
    from('d', 'a'),
    from('e', 'd'),
  )
  assert.equal(await nodes('d', 'up'), 'd0 a1 b1 c1')
  assert.equal(await nodes('a', 'down'), 'a0 b1 c1 d1 e2')
  assert.equal(await nodes('b', 'both'), 'b0 a1 d1 e2')
  assert.equal(await nodes('a', 'up'), 'a0')
  assert.equal(await nodes('e', 'up', 1), 'e0 d1')
  const { edges } = await walk('d', 'up')
  assert.deepEqual(
    edges.map((edge) => `${edge.src_id}-${edge.dst_id} ${edge.depth}`),
    ['d-a 1', 'd-b 1', 'd-c 1', 'b-a 2', 'c-a 2'],
  )
})

test('a cycle is traced once', async () => {
  const { nodes, walk } = await graph(from('a', 'b'), from('b', 'c'), from('c', 'a'))
  assert.equal(await nodes('a', 'up'), 'a0 b1 c2')
  assert.equal((await walk('a', 'up', 50)).edges.length, 3)
  assert.equal((await walk('a', 'both', 50)).edges.length, 3)
})

test('a repeated edge is stored once with its first call; two relations are two edges', async () => {
  const { owner, walk } = await graph(from('a', 'b'))
  const later = { ...owner, requestId: 'another call' }
  await owner.transaction((tx) => record(tx, later, [from('a', 'b'), from('a', 'b', 'duplicated_from')]))
  await owner.transaction((tx) => record(tx, later, []))
  const { edges } = await walk('a', 'up')
  assert.deepEqual(
    edges.map(({ relation, invocation_id }) => [relation, invocation_id]),
    [
      ['derived_from', owner.requestId],
      ['duplicated_from', 'another call'],
    ],
  )
})

test('a deleted entity stays in the trace with a mark, until it is restored', async () => {
  const { owner, organization, walk } = await graph(from('a', 'b'), from('b', 'c'))
  const deleted = async () => (await walk('a', 'up')).nodes.filter((node) => node.deleted).map((node) => node.entity_id)
  await owner.transaction((tx) => bury(tx, owner, item('b')))
  await owner.transaction((tx) => bury(tx, owner, item('b')))
  assert.deepEqual(await deleted(), ['b'])
  const [parent] = await relatives(owner.db, organization, item('a'), 'up')
  assert.deepEqual([parent?.entity_id, parent?.deleted], ['b', true])
  await owner.transaction((tx) => unbury(tx, owner, item('b')))
  assert.deepEqual(await deleted(), [])
})

test('listRelatives returns one step in each direction with the relation', async () => {
  const { owner, organization } = await graph(from('a', 'b'), from('c', 'a'), from('d', 'c'))
  const ids = async (direction: 'up' | 'down') =>
    (await relatives(owner.db, organization, item('a'), direction)).map((row) => `${row.relation} ${row.entity_id}`)
  assert.deepEqual(await ids('up'), ['derived_from b'])
  assert.deepEqual(await ids('down'), ['derived_from c'])
})

test('a trace has at most ten thousand edges, and more are marked as truncated', async () => {
  const { owner, organization, walk } = await graph()
  const insert = (first: number, last: number) =>
    owner.db.query(sql`
      insert into provenance_edges (organization_id, src_type, src_id, dst_type, dst_id, relation, invocation_id, created_at)
      select ${organization}::uuid, 'item', 'child ' || number, 'item', 'root', 'derived_from', 'x', ${holdings.clock.now()}::timestamptz
      from generate_series(${first}::integer, ${last}::integer) as number`)
  await insert(1, 10_000)
  const all = await walk('root', 'down')
  assert.deepEqual([all.edges.length, all.nodes.length, all.truncated], [10_000, 10_001, false])
  await insert(10_001, 10_001)
  const cut = await walk('root', 'down')
  assert.deepEqual([cut.edges.length, cut.truncated], [10_000, true])
})

test('a trace does not contain edges of other organizations', async () => {
  await graph(from('a', 'b'))
  const { nodes } = await graph(from('x', 'y'))
  assert.equal(await nodes('a', 'both'), 'a0')
})
