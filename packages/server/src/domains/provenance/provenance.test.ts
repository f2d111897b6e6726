import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Lineage } from '@swath/contract/schemas/provenance.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { readCallInput } from '../../engine/input/read-input.ts'
import { newId } from '../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { handler } from '../projects/operations/projects.delete.ts'
import { recordProvenance } from './record-provenance.ts'
import { operationHandlers } from '../handlers.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let item: string
let order: string
before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const delivered = await deliverItem(fixture.owner, fixture.project)
  item = delivered.item_id
  order = delivered.order_id
})
after(() => app?.close())

const invoke = async <T>(id: string, input: object, call: Call = fixture.owner): Promise<T> => {
  const { operation, handle } = operationHandlers.get(id)!
  return (await handle(call, readCallInput(operation, { ...input }) as never)) as T
}
const hasProblem = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  return true
}
const operationIds = ['provenance.get', 'provenance.export']
const inputFor = (entity_type: string, entity_id: string) => ({ entity_type, entity_id, direction: 'both' })

test("provenance is readable by the members of the root's project", async () => {
  const member = await fixture.createMemberCall('member')
  for (const id of operationIds)
    await assert.rejects(invoke(id, inputFor('item', item), member), hasProblem('not-a-member'))
  const foreign = (await app.createOrganization()).owner
  for (const id of operationIds)
    await assert.rejects(invoke(id, inputFor('item', item), foreign), hasProblem('not-found'))
  const lineage = await invoke<Lineage>('provenance.get', inputFor('item', item))
  assert.deepEqual(
    lineage.edges.map((edge) => [edge.src_id, edge.relation, edge.dst_id]),
    [[item, 'delivered_by', order]],
  )
  assert.equal('created_at' in lineage.edges[0]!, false)
})

test('an unknown entity answers not-found; a known entity without edges has empty provenance', async () => {
  for (const entity of [newId(), 'rubbish', "x' or true"])
    for (const type of ['item', 'asset', 'collection', 'order', 'project', 'share_link', 'upload', 'capture'])
      await assert.rejects(
        invoke('provenance.get', inputFor(type, entity)),
        hasProblem('not-found'),
        `${type} ${entity}`,
      )
  const single = await invoke<Lineage>('provenance.get', inputFor('project', fixture.project))
  assert.deepEqual([single.edges, single.nodes.length], [[], 1])
  await assert.rejects(invoke('provenance.get', inputFor('sock', item)), hasProblem('validation'))
})

test('a capture has no project: its derivatives are visible to those who can read their project', async () => {
  const capture = { type: 'capture', id: 'host:scene' }
  await fixture.owner.transaction((tx) =>
    recordProvenance(tx, fixture.owner, [
      { relation: 'derived_from', src: { type: 'order', id: order }, dst: capture },
    ]),
  )
  const member = await fixture.createMemberCall('member')
  for (const id of operationIds)
    await assert.rejects(invoke(id, inputFor('capture', capture.id), member), hasProblem('not-found'))
  const lineage = await invoke<Lineage>('provenance.get', inputFor('capture', capture.id))
  assert.deepEqual(
    lineage.nodes.map((node) => node.entity_type),
    ['capture', 'order', 'item'],
  )
})

test('owners and admins can read the provenance of a deleted project', async () => {
  const admin = await fixture.createMemberCall('admin')
  const member = await fixture.createMemberCall('member')
  await handler.handle(fixture.owner, { project_id: fixture.project } as never)
  const lineage = await invoke<Lineage>('provenance.get', inputFor('item', item), admin)
  assert.equal(lineage.nodes[0]!.deleted, true)
  const exported = await invoke<{ entity: Record<string, Record<string, unknown>> }>(
    'provenance.export',
    inputFor('item', item),
    admin,
  )
  assert.equal(exported.entity[`swath:item/${item}`]!['swath:deleted'], true)
  await assert.rejects(invoke('provenance.get', inputFor('item', item), member), hasProblem('not-a-member'))
})
