import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms, minute_ms } from '@swath/geo/time-units.ts'
import type { StandingOrder, StandingOrderScene } from '@swath/contract/schemas/order.ts'
import { limits } from '@swath/contract/limits.ts'
import { runForEach } from '../../../../test/citus/statements.ts'
import { assertOneSucceeds, assertRejected } from '../../../../test/call-operation.ts'
import { area, createSearchFixture, type SearchFixture } from '../../../../test/standing-orders.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../../test/test-services.ts'
import type { Call } from '../../../engine/call.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { listEulaAgreements } from '../../eulas/agreements.ts'
import { deriveDataProductId } from '../../glossary/data-products.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

/** A standing order for a search that has run once; its creator is the owner, or the caller. */
async function createFixture(input: object = {}, caller?: (fixture: SearchFixture) => Promise<Call>) {
  const fixture = await createSearchFixture(services, `host-${newId()}`)
  const call = caller ? await caller(fixture) : fixture.owner
  const saved_search_id = await fixture.saveSearch()
  const { id } = await fixture.invoke<StandingOrder>(
    'orders.standing.create',
    { saved_search_id, mode: 'buy', max_credits_per_scene: 100_000, max_credits_per_month: 1_000_000, ...input },
    call,
  )
  await fixture.sweep()
  const key = { standing_order_id: id }
  return {
    ...fixture,
    id,
    saved_search_id,
    scenes: async () =>
      (await fixture.invoke<{ scenes: StandingOrderScene[] }>('orders.standing.scenes.list', key)).scenes,
    read: async () =>
      (await fixture.invoke<{ standing_orders: StandingOrder[] }>('orders.standing.list', {})).standing_orders[0]!,
    update: (change: object, as?: Call) =>
      fixture.invoke<StandingOrder>('orders.standing.update', { ...key, ...change }, as),
    /** Publishes a scene and lets it be found and handled. */
    find: async (scene_id: string): Promise<void> => {
      fixture.publish(scene_id)
      await fixture.sweep()
    },
    decide: (scene_id: string, decision: string, as?: Call) =>
      fixture.invoke<StandingOrderScene>(
        'orders.standing.decide',
        { ...key, source_id: fixture.host.name, scene_id, decision },
        as,
      ),
  }
}

test('a new scene is ordered once, as the creator, within the area of the search', async () => {
  const fixture = await createFixture()
  await fixture.find('a')
  await fixture.sweep()
  const orders = await fixture.orders()
  assert.equal(orders.length, 1)
  const [order] = orders
  assert.equal(order!.created_by, fixture.owner.principal.id)
  assert.equal(order!.project_id, fixture.project)
  assert.ok(order!.total_credits > 0)
  const [scene] = await fixture.scenes()
  assert.deepEqual([scene!.status, scene!.order_id, scene!.credits], ['ordered', order!.id, order!.total_credits])
  assert.equal((await fixture.read()).month_credits, order!.total_credits)
  const [hold] = await fixture.owner.db.query<{ key: string }>(sql`
    select idempotency_key as key from journal_entries
    where organization_id = ${fixture.organization} and kind = 'hold'`)
  assert.match(hold!.key, new RegExp(`^standing-order:${fixture.id}:`))
})

test('a run that was killed after the order was placed buys no scene twice', async () => {
  const fixture = await createFixture()
  fixture.publish('a')
  await fixture.runner.runTask(backgroundTaskTypes.sweepSavedSearches)
  await fixture.runner.runPending()
  const data = { organization_id: fixture.organization, standing_order_id: fixture.id }
  await Promise.allSettled([1, 2, 3].map(() => fixture.runner.runTask(backgroundTaskTypes.runStandingOrder, data)))
  await fixture.runner.runTask(backgroundTaskTypes.runStandingOrder, data)
  // As if the process had ended before the answer was stored: the claim is abandoned, and its lease has expired.
  await services.database.unscoped.query(sql`
    update idempotency_claims set response = null, recovery_point = 'reserved', locked_at = null
    where organization_id = ${fixture.organization}`)
  await fixture.runner.runTask(backgroundTaskTypes.runStandingOrder, data)
  services.clock.advance(day_ms)
  await fixture.sweep()
  assert.equal((await fixture.orders()).length, 1)
})

test('a scene that is found again for another search of the same area is bought for each standing order', async () => {
  const fixture = await createFixture()
  await fixture.invoke('orders.standing.create', {
    saved_search_id: fixture.saved_search_id,
    mode: 'ask',
    max_credits_per_scene: 100_000,
    max_credits_per_month: 100_000,
  })
  await fixture.find('a')
  assert.equal((await fixture.orders()).length, 1)
  assert.equal((await fixture.events('standing_order.proposed')).length, 1)
})

test('a scene that is held already under the same licence is not bought again', async () => {
  const fixture = await createFixture()
  const { owner, organization, project, host } = fixture
  fixture.publish('a')
  const captures = [{ id: 'a', host: host.name, geometry: area }]
  const { id: order_id } = await fixture.invoke<{ id: string }>('orders.archive.place', { captures })
  const [capture] = await owner.db.query<{ item_id: string }>(sql`
    update order_captures set delivered_at = ${services.clock.now()}
    where organization_id = ${organization} and order_id = ${order_id} returning item_id`)
  await deliverItem(owner, project, { id: capture!.item_id, order_id })
  await fixture.sweep()
  assert.equal((await fixture.orders()).length, 1)
  const [scene] = await fixture.scenes()
  assert.equal(scene!.status, 'skipped')
  assert.match(scene!.reason ?? '', /held already/)
})

test('scenes above the cap of a scene, or of another data product, are skipped', async () => {
  const fixture = await createFixture({ max_credits_per_scene: 0 })
  await fixture.find('a')
  await fixture.update({ max_credits_per_scene: 100_000, data_product_id: newId() })
  await fixture.find('b')
  const [collection] = fixture.host.collections.filter(({ price }) => price !== null)
  await fixture.update({ data_product_id: deriveDataProductId(fixture.host.name, collection!.id) })
  await fixture.find('c')
  assert.deepEqual(
    (await fixture.scenes()).map(({ scene_id, status }) => [scene_id, status]),
    [
      ['c', 'ordered'],
      ['b', 'skipped'],
      ['a', 'skipped'],
    ],
  )
})

test('at the cap of the month it stops until the next month, with one event', async () => {
  const fixture = await createFixture()
  await fixture.find('a')
  const [order] = await fixture.orders()
  const credits = order!.total_credits
  await fixture.update({ max_credits_per_month: 2 * credits - 1 })
  await fixture.find('b')
  await fixture.find('c')
  const events = await fixture.events('standing_order.cap_reached')
  const { capped_until } = await fixture.read()
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ max_credits_per_month: 2 * credits - 1, month_credits: credits, until: capped_until }],
  )
  assert.equal((await fixture.orders()).length, 1)
  services.clock.advance(new Date(capped_until!).getTime() - fixture.now().getTime())
  await fixture.find('d')
  assert.equal((await fixture.orders()).length, 2)
  assert.deepEqual(
    (await fixture.scenes()).map(({ status }) => status),
    ['ordered', 'skipped', 'skipped', 'ordered'],
  )
})

test('a proposal is announced with its price, and accepting it places the order as the person who accepts', async () => {
  const fixture = await createFixture({ mode: 'ask' })
  await fixture.find('a')
  assert.equal((await fixture.orders()).length, 0)
  const [event] = await fixture.events('standing_order.proposed')
  const [scene] = await fixture.scenes()
  assert.equal(scene!.status, 'proposed')
  const { credits } = scene!
  assert.ok(credits! > 0)
  assert.deepEqual(event!.data, { source_id: fixture.host.name, scene_id: 'a', credits, reason: null })
  assert.equal(event!.project_id, fixture.project)
  const admin = await fixture.createMember('admin')
  const accepted = await fixture.decide('a', 'ACCEPTED', admin)
  const [order] = await fixture.orders()
  assert.deepEqual([order!.created_by, order!.total_credits], [admin.principal.id, credits])
  assert.deepEqual([accepted.status, accepted.order_id], ['ordered', order!.id])
  await assertRejected(fixture.decide('a', 'ACCEPTED'), 'already-decided')
  await assertRejected(fixture.decide('a', 'REJECTED'), 'already-decided')
  await assertRejected(fixture.decide('b', 'ACCEPTED'), 'not-found')
  assert.equal((await fixture.orders()).length, 1)
})

test('of two people who accept at the same time one places the order', async () => {
  const fixture = await createFixture({ mode: 'ask' })
  await fixture.find('a')
  await assertOneSucceeds(() => fixture.decide('a', 'ACCEPTED'))
  assert.equal((await fixture.orders()).length, 1)
})

test('a rejected proposal is not ordered, and the cap of the month also binds who accepts', async () => {
  const fixture = await createFixture({ mode: 'ask' })
  await fixture.find('a')
  await fixture.find('b')
  assert.equal((await fixture.decide('a', 'REJECTED')).status, 'rejected')
  await assertRejected(fixture.decide('a', 'ACCEPTED'), 'already-decided')
  await fixture.update({ max_credits_per_month: 0 })
  await assertRejected(fixture.decide('b', 'ACCEPTED'), 'spend-limit-exceeded')
  assert.equal((await fixture.orders()).length, 0)
})

test('a payment that is refused becomes a proposal with the reason', async () => {
  const fixture = await createFixture()
  await services.database.unscoped.query(sql`
    update memberships set per_order_limit_credits = 1
    where organization_id = ${fixture.organization} and user_id = ${fixture.owner.principal.id}`)
  await fixture.find('a')
  const [scene] = await fixture.scenes()
  assert.equal(scene!.status, 'proposed')
  assert.ok(scene!.credits! > 0 && scene!.reason !== null)
  assert.equal((await fixture.orders()).length, 0)
  const admin = await fixture.createMember('admin')
  assert.equal((await fixture.decide('a', 'ACCEPTED', admin)).status, 'ordered')
})

test('a host that fails is queried again later', async () => {
  const fixture = await createFixture()
  fixture.publish('a')
  await fixture.runner.runTask(backgroundTaskTypes.sweepSavedSearches)
  await fixture.runner.runPending()
  fixture.host.setFailing(true)
  await fixture.runner.runTask(backgroundTaskTypes.sweepStandingOrders)
  await fixture.runner.runPending()
  assert.deepEqual(
    (await fixture.scenes()).map(({ status, reason }) => [status, reason !== null]),
    [['pending', true]],
  )
  fixture.host.setFailing(false)
  await fixture.sweep()
  assert.equal((await fixture.orders()).length, 0)
  services.clock.advance(5 * minute_ms)
  await fixture.sweep()
  assert.equal((await fixture.orders()).length, 1)
})

for (const [cause, statement] of [
  ['left the organization', sql`delete from memberships where user_id = `],
  ['was disabled', sql`update users set disabled_at = created_at where id = `],
] as const) {
  test(`it is suspended if its creator ${cause}, and orders nothing`, async () => {
    const admins: Call[] = []
    const fixture = await createFixture({}, async ({ createMember }) => {
      admins.push(await createMember('admin'))
      return admins[0]!
    })
    await services.database.unscoped.query(sql`${statement}${admins[0]!.principal.id}`)
    await fixture.find('a')
    await fixture.find('b')
    const { status, status_reason } = await fixture.read()
    assert.equal(status, 'suspended')
    const events = await fixture.events('standing_order.suspended')
    assert.deepEqual(
      events.map(({ data }) => data['reason']),
      [status_reason],
    )
    assert.equal((await fixture.orders()).length, 0)
    assert.deepEqual(
      (await fixture.scenes()).map((scene) => scene.status),
      ['skipped', 'skipped'],
    )
  })
}

test('it is suspended if its creator may not write to the project any more, and the creator may resume it', async () => {
  const members: Call[] = []
  const fixture = await createFixture({}, async ({ createMember }) => {
    members.push(await createMember('admin'))
    return members[0]!
  })
  const setRole = (role: string) =>
    services.database.unscoped.query(sql`
      update memberships set role = ${role} where user_id = ${members[0]!.principal.id}`)
  await setRole('member')
  await fixture.find('a')
  assert.equal((await fixture.read()).status, 'suspended')
  await setRole('admin')
  await assertRejected(fixture.update({ status: 'active' }), 'forbidden')
  const resumed = await fixture.update({ status: 'active' }, members[0]!)
  assert.deepEqual([resumed.status, resumed.status_reason], ['active', null])
  await fixture.find('b')
  assert.equal((await fixture.orders()).length, 1)
})

test('a paused standing order skips scenes, and others than its creator may only pause it', async () => {
  const fixture = await createFixture()
  const admin = await fixture.createMember('admin')
  await assertRejected(fixture.update({ max_credits_per_scene: 1 }, admin), 'forbidden')
  assert.equal((await fixture.update({ status: 'paused' }, admin)).status, 'paused')
  await fixture.find('a')
  await fixture.update({ status: 'active' })
  await fixture.find('b')
  assert.deepEqual(
    (await fixture.scenes()).map(({ scene_id, status }) => [scene_id, status]),
    [
      ['b', 'ordered'],
      ['a', 'skipped'],
    ],
  )
})

test('a deleted standing order stops, also with a scene that was found before', async () => {
  const fixture = await createFixture()
  fixture.publish('a')
  await fixture.runner.runTask(backgroundTaskTypes.sweepSavedSearches)
  await fixture.runner.runPending()
  await fixture.invoke('orders.standing.delete', { standing_order_id: fixture.id })
  await fixture.sweep()
  fixture.publish('b')
  await fixture.sweep()
  assert.equal((await fixture.orders()).length, 0)
  await assertRejected(fixture.invoke('orders.standing.delete', { standing_order_id: fixture.id }), 'not-found')
})

test('it is suspended if its search is deleted', async () => {
  const fixture = await createFixture()
  await fixture.invoke('catalog.search.delete', { search_id: fixture.saved_search_id })
  await fixture.runner.runPending()
  const { status, status_reason } = await fixture.read()
  assert.deepEqual([status, status_reason], ['suspended', 'The saved search was deleted.'])
})

test('it needs a search with an area that looks for new scenes, and the number is bounded', async () => {
  const fixture = await createFixture()
  const caps = { mode: 'ask', max_credits_per_scene: 1, max_credits_per_month: 1 }
  const create = (saved_search_id: string) => fixture.invoke('orders.standing.create', { saved_search_id, ...caps })
  await assertRejected(create(await fixture.saveSearch({ name: 'Everywhere', filters: {} })), 'validation')
  await assertRejected(create(await fixture.saveSearch({ name: 'Silent', notify: false })), 'invalid-state')
  const { id } = await fixture.invoke<{ id: string }>('orders.standing.create', {
    saved_search_id: await fixture.saveSearch({ name: 'Box', filters: { bbox: [10, 50, 10.1, 50.1] } }),
    ...caps,
  })
  await runForEach(
    services.database.unscoped,
    [3, limits.max_standing_orders],
    () => sql`
      insert into standing_orders (organization_id, id, saved_search_id, project_id, name, area, mode,
        max_credits_per_scene, max_credits_per_month, status, created_by, created_at, updated_at)
      select organization_id, ${newId()}::uuid, saved_search_id, project_id, name, area, mode,
        max_credits_per_scene, max_credits_per_month, status, created_by, created_at, updated_at
      from standing_orders where id = ${id}`,
  )
  await assertRejected(create(fixture.saved_search_id), 'invalid-state')
})

test("another organization's standing order does not exist", async () => {
  const [ours, theirs] = [await createFixture(), await createFixture()]
  const input = { standing_order_id: ours.id }
  for (const [id, more] of [
    ['orders.standing.update', { name: 'Mine' }],
    ['orders.standing.delete', {}],
    ['orders.standing.scenes.list', {}],
    ['orders.standing.decide', { source_id: 'x', scene_id: 'y', decision: 'ACCEPTED' }],
  ] as const)
    await assertRejected(theirs.invoke(id, { ...input, ...more }), 'not-found')
  const caps = { mode: 'ask', max_credits_per_scene: 1, max_credits_per_month: 1 }
  await assertRejected(
    theirs.invoke('orders.standing.create', { saved_search_id: ours.saved_search_id, ...caps }),
    'not-found',
  )
})

test('a product whose licence agreement is not accepted is proposed, and bought when it is', async () => {
  const fixture = await createFixture()
  const document = {
    version: '1',
    valid_from: new Date(0),
    language: 'en',
    media_type: 'text/plain',
    content: 'Terms.',
  }
  Object.assign(fixture.host, {
    eulas: [{ name: 'terms', title: 'Terms of the archive', documents: [document] }],
    collections: fixture.host.collections.map((collection) => ({ ...collection, eula: 'terms' })),
  })
  await fixture.find('a')
  const [scene] = await fixture.scenes()
  assert.equal(scene!.status, 'proposed')
  assert.match(scene!.reason ?? '', /Terms of the archive/)
  await assertRejected(fixture.decide('a', 'ACCEPTED'), 'eula-not-accepted')
  assert.equal((await fixture.orders()).length, 0)
  const [agreement] = listEulaAgreements([fixture.host], fixture.now())
  const accepted = { eula_id: agreement!.id, document_id: agreement!.documents[0]!.id, is_accepted: true }
  await fixture.invoke('eulas.document.accept', accepted)
  assert.equal((await fixture.decide('a', 'ACCEPTED')).status, 'ordered')
})
