import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Collection } from '@swath/contract/schemas/collection.ts'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../engine/input/read-input.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { handler as collectionsCreate } from './operations/collections.create.ts'
import { handler as collectionsDelete } from './operations/collections.delete.ts'
import { handler as collectionsGet } from './operations/collections.get.ts'
import { handler as collectionsList } from './operations/collections.list.ts'
import { handler as collectionsUpdate } from './operations/collections.update.ts'
import { ensureResultCollection } from './result-collection.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app.close())

async function ask<T>(handler: OperationHandler, call: Call, input: Record<string, unknown>): Promise<T> {
  const output = await handler.handle(call, readCallInput(handler.operation, input) as never)
  requireValidOutput(handler.operation, output)
  return output as T
}

const refused = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem)
  return true
}

test('a collection is created with defaults, partially updated, listed and soft-deleted', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const created = await ask<Collection>(collectionsCreate, owner, { project_id: project, name: 'Fields' })
  assert.equal(created.show_on_map, true)
  assert.equal(created.layer_order, 0)
  assert.equal(created.auto_created, false)
  assert.equal(created.item_count, 0)
  assert.equal(created.created_at, app.clock.now().toISOString())

  const key = { project_id: project, collection_id: created.id }
  await ask(collectionsUpdate, owner, { ...key, description: 'Summer', color: '#123456' })
  app.clock.advance(1000)
  const changed = await ask<Collection>(collectionsUpdate, owner, { ...key, show_on_map: false, description: null })
  assert.deepEqual(
    { name: changed.name, description: changed.description, color: changed.color, show_on_map: changed.show_on_map },
    { name: 'Fields', description: null, color: '#123456', show_on_map: false },
  )
  assert.equal(changed.updated_at, app.clock.now().toISOString())
  assert.deepEqual(await ask(collectionsGet, owner, key), { collection: changed })
  const upperCaseKey = { project_id: project.toUpperCase(), collection_id: created.id.toUpperCase() }
  assert.deepEqual(await ask(collectionsGet, owner, upperCaseKey), { collection: changed })

  const { item_id } = await deliverItem(owner, project, { collection_id: created.id })
  assert.equal((await ask<{ collection: Collection }>(collectionsGet, owner, key)).collection.item_count, 1)
  assert.deepEqual(await ask(collectionsDelete, owner, key), { ok: true, id: created.id })
  await assert.rejects(ask(collectionsGet, owner, key), refused('not-found'))
  assert.deepEqual(await ask(collectionsList, owner, { project_id: project }), {
    collections: [],
    limit: 0,
    offset: 0,
    total: 0,
  })
  const [item] = await owner.db.query(sql`
    select collection_id, deleted_at from items where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(item, { collection_id: null, deleted_at: null }, 'its items remain and are unlinked')
  await ask(collectionsCreate, owner, { project_id: project, name: 'Fields' })
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
  const tenant = await app.createOrganization()
  const otherTenant = await app.createOrganization()
  const created = await ask<Collection>(collectionsCreate, tenant.owner, { project_id: tenant.project, name: 'Fields' })
  await assert.rejects(
    ask(collectionsCreate, tenant.owner, { project_id: tenant.project, name: 'FIELDS' }),
    refused('name-taken'),
  )
  await ask(collectionsCreate, otherTenant.owner, { project_id: otherTenant.project, name: 'Fields' })
  const other = await ask<Collection>(collectionsCreate, tenant.owner, { project_id: tenant.project, name: 'Woods' })
  const rename = (collection_id: string, name: string) =>
    ask<Collection>(collectionsUpdate, tenant.owner, { project_id: tenant.project, collection_id, name })
  await assert.rejects(rename(other.id, 'fields'), refused('name-taken'))
  assert.equal((await rename(created.id, 'fields')).name, 'fields', 'a collection may change the case of its own name')
})

test('collections of another organization are not-found; those of a project without membership are not-a-member', async () => {
  const tenant = await app.createOrganization()
  const otherTenant = await app.createOrganization()
  const created = await ask<Collection>(collectionsCreate, tenant.owner, { project_id: tenant.project, name: 'Fields' })
  const member = await tenant.createMemberCall('member')
  const key = { project_id: tenant.project, collection_id: created.id }
  for (const handler of [collectionsGet, collectionsUpdate, collectionsDelete]) {
    await assert.rejects(ask(handler, otherTenant.owner, key), refused('not-found'))
    await assert.rejects(
      ask(handler, otherTenant.owner, { ...key, project_id: otherTenant.project }),
      refused('not-found'),
    )
    await assert.rejects(ask(handler, member, key), refused('not-a-member'))
    await assert.rejects(ask(handler, tenant.owner, { ...key, collection_id: newId() }), refused('not-found'))
  }
  assert.equal((await ask<{ collection: Collection }>(collectionsGet, tenant.owner, key)).collection.name, 'Fields')
})

test('an order has one collection, named after it, with a number if the name is taken', async () => {
  const { owner, project } = await app.createOrganization()
  await ask(collectionsCreate, owner, { project_id: project, name: 'Order 1' })
  const order = { project_id: project, source: { type: 'order' as const, id: newId() }, name: 'Order 1' }
  const ensure = (orderCollection: Parameters<typeof ensureResultCollection>[2]) =>
    owner.transaction((tx) => ensureResultCollection(tx, owner, orderCollection))
  const id = await ensure(order)
  assert.equal(await ensure(order), id)
  assert.equal(await ensure({ ...order, name: 'renamed' }), id)
  const found = await ask<{ collection: Collection }>(collectionsGet, owner, { project_id: project, collection_id: id })
  assert.equal(found.collection.name, 'Order 1 (2)')
  assert.notEqual(await ensure({ ...order, source: { type: 'job', id: newId() } }), id)
})

test('concurrent deliveries of orders with the same name create one collection per order', async () => {
  const { owner, project } = await app.createOrganization()
  const orders = Array.from({ length: 12 }, () => ({
    project_id: project,
    source: { type: 'order' as const, id: newId() },
    name: 'Order 1',
  }))
  const deliveries = [...orders, ...orders].map((order) =>
    owner.transaction(async (tx) => [order.source.id, await ensureResultCollection(tx, owner, order)] as const),
  )
  const created = new Map(await Promise.all(deliveries))
  assert.equal(new Set(created.values()).size, 12)
  const { collections } = await ask<{ collections: Collection[] }>(collectionsList, owner, { project_id: project })
  assert.deepEqual(
    collections.map(({ name }) => name).toSorted(),
    ['Order 1', ...Array.from({ length: 11 }, (_, index) => `Order 1 (${index + 2})`)].toSorted(),
  )
})
