import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Collection } from '@swath/contract/shapes/collection.ts'
import type { Call } from '../../engine/call.ts'
import type { Handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { checkOutput, readInput } from '../../engine/read-input.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { createCollection } from './collections.create.ts'
import { removeCollection } from './collections.delete.ts'
import { getCollection } from './collections.get.ts'
import { listCollections } from './collections.list.ts'
import { changeCollection } from './collections.update.ts'
import { ensureOrderCollection } from './deliver.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  house = await openHoldings()
})
after(() => house.close())

async function ask<T>(handler: Handler, call: Call, input: Record<string, unknown>): Promise<T> {
  const output = await handler.answer(call, readInput(handler.operation, input) as never)
  checkOutput(handler.operation, output)
  return output as T
}

const refused = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem)
  return true
}

test('a collection is created with defaults, partially updated, listed and soft-deleted', async () => {
  const { owner, project, organization } = await house.organize()
  const made = await ask<Collection>(createCollection, owner, { project_id: project, name: 'Fields' })
  assert.equal(made.show_on_map, true)
  assert.equal(made.layer_order, 0)
  assert.equal(made.auto_created, false)
  assert.equal(made.item_count, 0)
  assert.equal(made.created_at, house.clock.now().toISOString())

  const at = { project_id: project, collection_id: made.id }
  await ask(changeCollection, owner, { ...at, description: 'Summer', color: '#123456' })
  house.clock.advance(1000)
  const changed = await ask<Collection>(changeCollection, owner, { ...at, show_on_map: false, description: null })
  assert.deepEqual(
    { name: changed.name, description: changed.description, color: changed.color, show_on_map: changed.show_on_map },
    { name: 'Fields', description: null, color: '#123456', show_on_map: false },
  )
  assert.equal(changed.updated_at, house.clock.now().toISOString())
  assert.deepEqual(await ask(getCollection, owner, at), { collection: changed })
  const shouted = { project_id: project.toUpperCase(), collection_id: made.id.toUpperCase() }
  assert.deepEqual(await ask(getCollection, owner, shouted), { collection: changed })

  const { item_id } = await deliver(owner, project, { collection_id: made.id })
  assert.equal((await ask<{ collection: Collection }>(getCollection, owner, at)).collection.item_count, 1)
  assert.deepEqual(await ask(removeCollection, owner, at), { ok: true, id: made.id })
  await assert.rejects(ask(getCollection, owner, at), refused('not-found'))
  assert.deepEqual(await ask(listCollections, owner, { project_id: project }), {
    collections: [],
    limit: 0,
    offset: 0,
    total: 0,
  })
  const [item] = await owner.db.query(sql`
    select collection_id, deleted_at from items where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(item, { collection_id: null, deleted_at: null }, 'its items remain and are unlinked')
  await ask(createCollection, owner, { project_id: project, name: 'Fields' })
  const events = await owner.db.query<{ kind: string }>(sql`
    select kind from events where organization_id = ${organization} and entity_type = 'collection' order by created_at, id`)
  assert.deepEqual(events.map((event) => event.kind).sort(), [
    'collection.created',
    'collection.created',
    'collection.updated',
    'collection.updated',
  ])
})

test('a name is unique within its project, ignoring case', async () => {
  const here = await house.organize()
  const there = await house.organize()
  const made = await ask<Collection>(createCollection, here.owner, { project_id: here.project, name: 'Fields' })
  await assert.rejects(
    ask(createCollection, here.owner, { project_id: here.project, name: 'FIELDS' }),
    refused('name-taken'),
  )
  await ask(createCollection, there.owner, { project_id: there.project, name: 'Fields' })
  const other = await ask<Collection>(createCollection, here.owner, { project_id: here.project, name: 'Woods' })
  const rename = (collection_id: string, name: string) =>
    ask<Collection>(changeCollection, here.owner, { project_id: here.project, collection_id, name })
  await assert.rejects(rename(other.id, 'fields'), refused('name-taken'))
  assert.equal((await rename(made.id, 'fields')).name, 'fields', 'a collection may change the case of its own name')
})

test('collections of another organization are not-found; those of a project without membership are not-a-member', async () => {
  const here = await house.organize()
  const there = await house.organize()
  const made = await ask<Collection>(createCollection, here.owner, { project_id: here.project, name: 'Fields' })
  const member = await here.person('member')
  const at = { project_id: here.project, collection_id: made.id }
  for (const handler of [getCollection, changeCollection, removeCollection]) {
    await assert.rejects(ask(handler, there.owner, at), refused('not-found'))
    await assert.rejects(ask(handler, there.owner, { ...at, project_id: there.project }), refused('not-found'))
    await assert.rejects(ask(handler, member, at), refused('not-a-member'))
    await assert.rejects(ask(handler, here.owner, { ...at, collection_id: newId() }), refused('not-found'))
  }
  assert.equal((await ask<{ collection: Collection }>(getCollection, here.owner, at)).collection.name, 'Fields')
})

test('an order has one collection, named after it, with a number if the name is taken', async () => {
  const { owner, project } = await house.organize()
  await ask(createCollection, owner, { project_id: project, name: 'Order 1' })
  const order = { project_id: project, order_id: newId(), name: 'Order 1' }
  const ensure = (given: typeof order) => owner.transaction((tx) => ensureOrderCollection(tx, owner, given))
  const id = await ensure(order)
  assert.equal(await ensure(order), id)
  assert.equal(await ensure({ ...order, name: 'renamed' }), id)
  const found = await ask<{ collection: Collection }>(getCollection, owner, { project_id: project, collection_id: id })
  assert.equal(found.collection.name, 'Order 1 (2)')
  assert.notEqual(await ensure({ ...order, order_id: newId() }), id)
})

test('concurrent deliveries of orders with the same name create one collection per order', async () => {
  const { owner, project } = await house.organize()
  const orders = Array.from({ length: 12 }, () => ({ project_id: project, order_id: newId(), name: 'Order 1' }))
  const twice = [...orders, ...orders].map((order) =>
    owner.transaction(async (tx) => [order.order_id, await ensureOrderCollection(tx, owner, order)] as const),
  )
  const made = new Map(await Promise.all(twice))
  assert.equal(new Set(made.values()).size, 12)
  const { collections } = await ask<{ collections: Collection[] }>(listCollections, owner, { project_id: project })
  assert.deepEqual(
    collections.map(({ name }) => name).toSorted(),
    ['Order 1', ...Array.from({ length: 11 }, (_, index) => `Order 1 (${index + 2})`)].toSorted(),
  )
})
