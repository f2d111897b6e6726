import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Lineage } from '@swath/contract/shapes/provenance.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { readInput } from '../../engine/read-input.ts'
import { newId } from '../../platform/ids.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { deleteProject } from '../projects/projects.delete.ts'
import { record } from './record.ts'
import { provenance } from './room.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
let item: string
let order: string
before(async () => {
  house = await openHoldings()
  world = await house.organize()
  const made = await deliver(world.owner, world.project)
  item = made.item_id
  order = made.order_id
})
after(() => house?.close())

const handlers = new Map(provenance.handlers.map((handler) => [handler.operation.id, handler]))
const ask = async <T>(id: string, input: object, call: Call = world.owner): Promise<T> => {
  const { operation, answer } = handlers.get(id)!
  return (await answer(call, readInput(operation, { ...input }) as never)) as T
}
const refused = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  return true
}
const both = ['provenance.get', 'provenance.export']
const rooted = (entity_type: string, entity_id: string) => ({ entity_type, entity_id, direction: 'both' })

test("provenance is readable by the members of the root's project", async () => {
  const member = await world.person('member')
  for (const id of both) await assert.rejects(ask(id, rooted('item', item), member), refused('not-a-member'))
  const foreign = (await house.organize()).owner
  for (const id of both) await assert.rejects(ask(id, rooted('item', item), foreign), refused('not-found'))
  const found = await ask<Lineage>('provenance.get', rooted('item', item))
  assert.deepEqual(
    found.edges.map((edge) => [edge.src_id, edge.relation, edge.dst_id]),
    [[item, 'delivered_by', order]],
  )
  assert.equal('created_at' in found.edges[0]!, false)
})

test('an unknown entity answers not-found; a known entity without edges has empty provenance', async () => {
  for (const entity of [newId(), 'rubbish', "x' or true"])
    for (const type of ['item', 'asset', 'collection', 'order', 'project', 'share_link', 'upload', 'capture'])
      await assert.rejects(ask('provenance.get', rooted(type, entity)), refused('not-found'), `${type} ${entity}`)
  const alone = await ask<Lineage>('provenance.get', rooted('project', world.project))
  assert.deepEqual([alone.edges, alone.nodes.length], [[], 1])
  await assert.rejects(ask('provenance.get', rooted('sock', item)), refused('validation'))
})

test('a capture has no project: its derivatives are visible to those who can read their project', async () => {
  const capture = { type: 'capture', id: 'host:scene' }
  await world.owner.transaction((tx) =>
    record(tx, world.owner, [{ relation: 'derived_from', src: { type: 'order', id: order }, dst: capture }]),
  )
  const member = await world.person('member')
  for (const id of both) await assert.rejects(ask(id, rooted('capture', capture.id), member), refused('not-found'))
  const found = await ask<Lineage>('provenance.get', rooted('capture', capture.id))
  assert.deepEqual(
    found.nodes.map((node) => node.entity_type),
    ['capture', 'order', 'item'],
  )
})

test('owners and admins can read the provenance of a deleted project', async () => {
  const admin = await world.person('admin')
  const member = await world.person('member')
  await deleteProject.answer(world.owner, { project_id: world.project } as never)
  const found = await ask<Lineage>('provenance.get', rooted('item', item), admin)
  assert.equal(found.nodes[0]!.deleted, true)
  const exported = await ask<{ entity: Record<string, Record<string, unknown>> }>(
    'provenance.export',
    rooted('item', item),
    admin,
  )
  assert.equal(exported.entity[`swath:item/${item}`]!['swath:deleted'], true)
  await assert.rejects(ask('provenance.get', rooted('item', item), member), refused('not-a-member'))
})
