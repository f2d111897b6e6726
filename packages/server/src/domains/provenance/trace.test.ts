import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../test/citus/cluster.ts'
import { sql } from '../../platform/database/sql.ts'
import { openTestServices } from '../../../test/test-services.ts'
import type { NewProvenanceEdge, ProvenanceEntity } from './edge.ts'
import { markEntityDeleted, recordProvenance, unmarkEntityDeleted } from './record-provenance.ts'
import { listProvenanceRelatives } from './relatives.ts'
import { traceProvenance, type ProvenanceTraceDirection } from './trace.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app?.close())

const item = (id: string): ProvenanceEntity => ({ type: 'item', id })
const edgeBetween = (
  src: string,
  dst: string,
  relation: NewProvenanceEdge['relation'] = 'derived_from',
): NewProvenanceEdge => ({
  relation,
  src: item(src),
  dst: item(dst),
})

/** Creates an organization with these edges. */
async function createGraph(...edges: readonly NewProvenanceEdge[]) {
  const { owner, organization } = await app.createOrganization()
  await owner.transaction((tx) => recordProvenance(tx, owner, edges))
  const traceFrom = (id: string, direction: ProvenanceTraceDirection, depth = 20) =>
    traceProvenance(owner.db, { organization, root: item(id), direction, max_depth: depth })
  const nodes = async (id: string, direction: ProvenanceTraceDirection, depth?: number): Promise<string> =>
    (await traceFrom(id, direction, depth)).nodes.map((node) => `${node.entity_id}${node.depth}`).join(' ')
  return { owner, organization, walk: traceFrom, nodes }
}

test('a trace goes up, down and both ways by level, with every node at its smallest depth', async () => {
  const { nodes, walk: traceFrom } = await createGraph(
    edgeBetween('d', 'b'),
    edgeBetween('d', 'c'),
    edgeBetween('b', 'a'),
    edgeBetween('c', 'a'),
    edgeBetween('d', 'a'),
    edgeBetween('e', 'd'),
  )
  assert.equal(await nodes('d', 'up'), 'd0 a1 b1 c1')
  assert.equal(await nodes('a', 'down'), 'a0 b1 c1 d1 e2')
  assert.equal(await nodes('b', 'both'), 'b0 a1 d1 e2')
  assert.equal(await nodes('a', 'up'), 'a0')
  assert.equal(await nodes('e', 'up', 1), 'e0 d1')
  const { edges } = await traceFrom('d', 'up')
  assert.deepEqual(
    edges.map((edge) => `${edge.src_id}-${edge.dst_id} ${edge.depth}`),
    ['d-a 1', 'd-b 1', 'd-c 1', 'b-a 2', 'c-a 2'],
  )
})

test('a cycle is traced once', async () => {
  const { nodes, walk: traceFrom } = await createGraph(
    edgeBetween('a', 'b'),
    edgeBetween('b', 'c'),
    edgeBetween('c', 'a'),
  )
  assert.equal(await nodes('a', 'up'), 'a0 b1 c2')
  assert.equal((await traceFrom('a', 'up', 50)).edges.length, 3)
  assert.equal((await traceFrom('a', 'both', 50)).edges.length, 3)
})

test('a repeated edge is stored once with its first call; two relations are two edges', async () => {
  const { owner, walk: traceFrom } = await createGraph(edgeBetween('a', 'b'))
  const laterCall = { ...owner, requestId: 'another call' }
  await owner.transaction((tx) =>
    recordProvenance(tx, laterCall, [edgeBetween('a', 'b'), edgeBetween('a', 'b', 'duplicated_from')]),
  )
  await owner.transaction((tx) => recordProvenance(tx, laterCall, []))
  const { edges } = await traceFrom('a', 'up')
  assert.deepEqual(
    edges.map(({ relation, invocation_id }) => [relation, invocation_id]),
    [
      ['derived_from', owner.requestId],
      ['duplicated_from', 'another call'],
    ],
  )
})

test('a deleted entity stays in the trace with a mark, until it is restored', async () => {
  const { owner, organization, walk: traceFrom } = await createGraph(edgeBetween('a', 'b'), edgeBetween('b', 'c'))
  const deleted = async () =>
    (await traceFrom('a', 'up')).nodes.filter((node) => node.deleted).map((node) => node.entity_id)
  await owner.transaction((tx) => markEntityDeleted(tx, owner, item('b')))
  await owner.transaction((tx) => markEntityDeleted(tx, owner, item('b')))
  assert.deepEqual(await deleted(), ['b'])
  const [parent] = await listProvenanceRelatives(owner.db, { organization, entity: item('a'), direction: 'up' })
  assert.deepEqual([parent?.entity_id, parent?.deleted], ['b', true])
  await owner.transaction((tx) => unmarkEntityDeleted(tx, owner, item('b')))
  assert.deepEqual(await deleted(), [])
})

test('listProvenanceRelatives returns one step in each direction with the relation', async () => {
  const { owner, organization } = await createGraph(edgeBetween('a', 'b'), edgeBetween('c', 'a'), edgeBetween('d', 'c'))
  const ids = async (direction: 'up' | 'down') =>
    (await listProvenanceRelatives(owner.db, { organization, entity: item('a'), direction })).map(
      (row) => `${row.relation} ${row.entity_id}`,
    )
  assert.deepEqual(await ids('up'), ['derived_from b'])
  assert.deepEqual(await ids('down'), ['derived_from c'])
})

test(
  'a trace has at most ten thousand edges, and more are marked as truncated',
  skipOnCitus('the test inserts the rows of a query'),
  async () => {
    const { owner, organization, walk: traceFrom } = await createGraph()
    const insert = (first: number, last: number) =>
      owner.db.query(sql`
      insert into provenance_edges (organization_id, src_type, src_id, dst_type, dst_id, relation, invocation_id, created_at)
      select ${organization}::uuid, 'item', 'child ' || number, 'item', 'root', 'derived_from', 'x', ${app.clock.now()}::timestamptz
      from generate_series(${first}::integer, ${last}::integer) as number`)
    await insert(1, 10_000)
    const fullTrace = await traceFrom('root', 'down')
    assert.deepEqual([fullTrace.edges.length, fullTrace.nodes.length, fullTrace.truncated], [10_000, 10_001, false])
    await insert(10_001, 10_001)
    const truncatedTrace = await traceFrom('root', 'down')
    assert.deepEqual([truncatedTrace.edges.length, truncatedTrace.truncated], [10_000, true])
  },
)

test('a trace does not contain edges of other organizations', async () => {
  await createGraph(edgeBetween('a', 'b'))
  const { nodes } = await createGraph(edgeBetween('x', 'y'))
  assert.equal(await nodes('a', 'both'), 'a0')
})
