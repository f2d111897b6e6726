import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../test/citus/cluster.ts'
import { migrationsDir } from '../../platform/database/migrate.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { emitEvent, emitEvents, type NewEvent } from './emit.ts'
import { hasEntityEvents } from './entity-events.ts'
import { listEvents } from './store.ts'
import { storedDeliveries } from '../../../test/webhooks/stored-deliveries.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app?.close())

const collectionCreated = (entity_id = newId()): NewEvent => ({
  kind: 'collection.created',
  entity_type: 'collection',
  entity_id,
  data: { project_id: newId(), name: 'x' },
})

async function createTenant() {
  const { owner, organization } = await app.createOrganization()
  const emitTestEvent = (event: NewEvent) => owner.transaction((tx) => emitEvent(tx, owner, event))
  const subscribe = async (event_type: string, filter_config: object = {}, active = true): Promise<string> => {
    const id = newId()
    await owner.db.query(sql`
      insert into event_subscriptions (organization_id, id, event_type, endpoint_url, filter_config, active, created_at, updated_at)
      values (${organization}, ${id}, ${event_type}, 'https://example.org', ${sql.json(filter_config)}, ${active},
              ${app.clock.now()}, ${app.clock.now()})`)
    return id
  }
  const deliveries = async (): Promise<string[]> =>
    (
      await owner.db.query<{ subscription_id: string }>(sql`
        select subscription_id from ${storedDeliveries} d where organization_id = ${organization}`)
    ).map((row) => row.subscription_id)
  const everyEvent = {
    organization,
    kind: null,
    entity_type: null,
    entity_id: null,
    before: null,
    limit: 100,
    visibility: null,
  }
  return {
    owner,
    organization,
    tell: emitTestEvent,
    subscribe,
    deliveries,
    list: (more: object = {}) => listEvents(owner.db, { ...everyEvent, ...more }),
  }
}

test('an event stores its kind, entity, time, actor and call', async () => {
  const { owner, organization, tell: emitTestEvent, list } = await createTenant()
  const event = collectionCreated()
  await emitTestEvent(event)
  const [row] = await list()
  assert.deepEqual(
    { ...row, id: '' },
    {
      id: '',
      organization_id: organization,
      ...event,
      actor_kind: 'human',
      actor_id: owner.principal.id,
      operation: 'test',
      request_id: owner.requestId,
      created_at: app.clock.now(),
    },
  )
})

test('an event and its deliveries are rolled back with the transaction', async () => {
  const { owner, tell: emitTestEvent, list, subscribe, deliveries } = await createTenant()
  await subscribe('collection.created')
  const broken = owner.transaction(async (tx) => {
    await emitEvent(tx, owner, collectionCreated())
    throw new Error('no')
  })
  await assert.rejects(broken, /no/)
  assert.deepEqual([await list(), await deliveries()], [[], []])
  await emitTestEvent(collectionCreated())
  assert.equal((await deliveries()).length, 1)
})

test('each active matching subscription of the organization gets one delivery', async () => {
  const { tell: emitTestEvent, subscribe, deliveries } = await createTenant()
  const otherTenant = await createTenant()
  const expected = await Promise.all([
    subscribe('collection.created'),
    subscribe('collection.created'),
    subscribe('collection.created', { entity_type: 'collection' }),
  ])
  await subscribe('collection.updated')
  await subscribe('collection.created', { entity_type: 'item' })
  await subscribe('collection.created', {}, false)
  await otherTenant.subscribe('collection.created')
  await emitTestEvent(collectionCreated())
  assert.deepEqual((await deliveries()).sort(), expected.sort())
  assert.deepEqual(await otherTenant.deliveries(), [])
})

test('emitEvents writes the same events and deliveries as single events', async () => {
  const { owner, organization, subscribe, list } = await createTenant()
  const subscription = await subscribe('collection.created')
  const first = collectionCreated()
  const { kind, entity_type, data } = first
  const events = Array.from({ length: 2001 }, () => ({ entity_id: newId(), data }))
  await owner.transaction((tx) => emitEvents(tx, owner, { kind, entity_type }, events))
  const written = await list({ limit: 3000 })
  const { entity_id: _, ...common } = {
    ...first,
    operation: owner.operation,
    created_at: app.clock.now(),
  }
  assert.deepEqual(
    written.toReversed().map((event) => event.entity_id),
    events.map((event) => event.entity_id),
  )
  for (const event of written.slice(0, 10)) assert.deepEqual({ ...event, ...common }, event)
  const delivered = await owner.db.query(sql`
    select subscription_id, count(*)::int as count from ${storedDeliveries} d
    where organization_id = ${organization} group by subscription_id`)
  assert.deepEqual(delivered, [{ subscription_id: subscription, count: 2001 }])
  await assert.rejects(
    owner.transaction((tx) =>
      emitEvents(tx, owner, { kind: 'order.placed', entity_type: 'order' }, [{ entity_id: newId(), data: {} }]),
    ),
    /does not match its schema/,
  )
})

test('data that does not match the schema of its kind is an internal error', async () => {
  const { tell: emitTestEvent, list } = await createTenant()
  const order = { kind: 'order.placed', entity_type: 'order', entity_id: newId() } as const
  for (const data of [
    {},
    { fromStatus: null, toStatus: 'PLACED', creditsCaptured: -1, creditsRefunded: 0, failureReason: null },
  ]) {
    await assert.rejects(emitTestEvent({ ...order, data }), /does not match its schema/)
  }
  await assert.rejects(
    emitTestEvent({ ...order, kind: 'order.invented' as never, data: {} }),
    /does not match its schema/,
  )
  assert.deepEqual(await list(), [])
})

test('events are listed newest first, filtered by kind and entity, and paged by id', async () => {
  const { tell: emitTestEvent, list } = await createTenant()
  const entityIds = Array.from({ length: 5 }, () => newId())
  for (const entityId of entityIds) await emitTestEvent(collectionCreated(entityId))
  await emitTestEvent({ ...collectionCreated(entityIds[0]), kind: 'collection.updated' })
  const rows = await list()
  assert.deepEqual(
    rows.map((row) => row.entity_id),
    [entityIds[0], ...entityIds.toReversed()],
  )
  assert.deepEqual(
    (await list({ kind: 'collection.updated' })).map((row) => row.entity_id),
    [entityIds[0]],
  )
  assert.equal((await list({ entity_id: entityIds[0] })).length, 2)
  assert.equal((await list({ entity_type: 'order' })).length, 0)
  assert.deepEqual(await list({ before: rows[2]!.id, limit: 2 }), rows.slice(3, 5))
})

test('an entity has events in its own organization only', async () => {
  const { owner, organization, tell: emitTestEvent } = await createTenant()
  const otherTenant = await createTenant()
  const event = collectionCreated()
  await emitTestEvent(event)
  const entityId = { type: 'collection', id: event.entity_id }
  assert.equal(await hasEntityEvents(owner.db, organization, entityId), true)
  assert.equal(await hasEntityEvents(owner.db, organization, { ...entityId, type: 'item' }), false)
  assert.equal(await hasEntityEvents(otherTenant.owner.db, otherTenant.organization, entityId), false)
})

test(
  'an event stores the project of its entity, and the migration backfills the same project',
  skipOnCitus('it runs a migration again in one message'),
  async () => {
    const { owner, organization, project } = await app.createOrganization()
    const { item_id, collection_id } = await deliverItem(owner, project)
    const emitAbout = (entity_type: string, entity_id: string) =>
      owner.transaction((tx) => emitEvent(tx, owner, { ...collectionCreated(entity_id), entity_type }))
    const entitiesInProject = { item: item_id, collection: collection_id, project }
    for (const [type, id] of Object.entries(entitiesInProject)) await emitAbout(type, id)
    // The same id under another type, an unknown id, an id that is not a UUID, and a type that belongs to no project.
    await emitAbout('item', collection_id)
    await emitAbout('asset', newId())
    await emitAbout('upload', 'not-a-uuid')
    await emitAbout('organization', organization)
    const stored = () =>
      owner.db.query<{ id: string; entity_type: string; entity_id: string; project_id: string | null }>(sql`
      select id, entity_type, entity_id, project_id from events where organization_id = ${organization} order by id`)
    const before = await stored()
    for (const { entity_type, entity_id, project_id } of before) {
      const isInProject = entitiesInProject[entity_type as keyof typeof entitiesInProject] === entity_id
      assert.equal(project_id, isInProject ? project : null, `${entity_type} ${entity_id}`)
    }
    for (const [type, id] of Object.entries(entitiesInProject))
      assert.ok(before.some(({ entity_type, entity_id }) => entity_type === type && entity_id === id))
    await app.database.runScript('alter table events drop column project_id')
    await app.database.runScript(await readFile(`${migrationsDir}0029_event_projects.sql`, 'utf8'))
    assert.deepEqual(await stored(), before)
  },
)
