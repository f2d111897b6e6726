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

/** An organization with these edges. */
async function graph(...edges: readonly Edge[]) {
  const { owner, organization } = await holdings.organize()
  await owner.transaction((tx) => record(tx, owner, edges))
  const walk = (id: string, direction: Direction, depth = 20) =>
    trace(owner.db, organization, item(id), direction, depth)
  const nodes = async (id: string, direction: Direction, depth?: number): Promise<string> =>
    (await walk(id, direction, depth)).nodes.map((node) => `${node.entity_id}${node.depth}`).join(' ')
  return { owner, organization, walk, nodes }
}

test('lineage is walked up, down and both ways, level by level, every node at its nearest', async () => {
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

test('a circle ends where it closes', async () => {
  const { nodes, walk } = await graph(from('a', 'b'), from('b', 'c'), from('c', 'a'))
  assert.equal(await nodes('a', 'up'), 'a0 b1 c2')
  assert.equal((await walk('a', 'up', 50)).edges.length, 3)
  assert.equal((await walk('a', 'both', 50)).edges.length, 3)
})

test('the same edge twice is one, two relations are two, and the first call is remembered', async () => {
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

test('what is gone keeps its place and says that it is gone, until it is back', async () => {
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

test('neighbours are told with their relation, one step each way', async () => {
  const { owner, organization } = await graph(from('a', 'b'), from('c', 'a'), from('d', 'c'))
  const ids = async (direction: 'up' | 'down') =>
    (await relatives(owner.db, organization, item('a'), direction)).map((row) => `${row.relation} ${row.entity_id}`)
  assert.deepEqual(await ids('up'), ['derived_from b'])
  assert.deepEqual(await ids('down'), ['derived_from c'])
})

test('ten thousand edges are the most, and more is said', async () => {
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

test('another organization sees none of it', async () => {
  await graph(from('a', 'b'))
  const { nodes } = await graph(from('x', 'y'))
  assert.equal(await nodes('a', 'both'), 'a0')
})
