import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { shiftTime } from '../../../platform/clock.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { idOfDay } from '../../../../test/events/attempt-days.ts'
import { openUploadServices, type UploadServices } from '../../../../test/upload-services.ts'
import { emitEvents } from '../../events/emit.ts'
import {
  markOpenEventDeliveriesEnded,
  listEventDeliveries,
  updateEventDeliverySchedule,
  updateScheduleOfEventDeliveriesInWindow,
} from '../store.deliveries.ts'

let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app?.close())

/** A subscription with so many open deliveries. */
async function createQueue(count: number) {
  const { owner, organization } = await app.createOrganization()
  const subscription = newId()
  const now = app.clock.forOrganization(organization).now()
  await owner.db.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, filter_config, active, created_at, updated_at)
    values (${organization}, ${subscription}, 'collection.created', 'https://example.org', '{}', true, ${now}, ${now})`)
  const emit = (events: number) =>
    owner.transaction((tx) =>
      emitEvents(
        tx,
        owner,
        { kind: 'collection.created', entity_type: 'collection' },
        Array.from({ length: events }, () => ({ entity_id: newId(), data: { project_id: newId(), name: 'x' } })),
      ),
    )
  await emit(count)
  const page = { organization, subscription, state: null, before: null, limit: 5000 }
  return {
    owner,
    organization,
    subscription,
    now,
    emit,
    list: (filter: Partial<Parameters<typeof listEventDeliveries>[1]> = {}) =>
      listEventDeliveries(owner.db, { ...page, ...filter }),
    end: (state: 'dead' | 'cancelled') =>
      owner.transaction((tx) => markOpenEventDeliveriesEnded(tx, { organization, subscription }, state, now)),
    /** Pretends that the deliveries of the log ended so many days ago. */
    age: (days: number) =>
      owner.db.query(sql`
        update event_delivery_log set log_id = ${idOfDay(-days)}::uuid where organization_id = ${organization}`),
  }
}

test('deliveries that ended 90 days ago are dropped by whole days; open and later ones and all events stay', async () => {
  const ages = [limits.delivery_log_days + 1, limits.delivery_log_days, limits.delivery_log_days - 1, 0]
  const queues = []
  for (const age of ages) {
    const queue = await createQueue(1)
    await queue.end('dead')
    await queue.age(age)
    await queue.emit(1)
    queues.push(queue)
  }
  await app.taskRunner.runTask(backgroundTaskTypes.sweepDeliveryLog)
  const states = await Promise.all(queues.map(async ({ list }) => (await list()).map(({ state }) => state)))
  assert.deepEqual(states, [['pending'], ['pending', 'dead'], ['pending', 'dead'], ['pending', 'dead']])
  const events = await queues[0]!.owner.db.query(sql`
    select id from events where organization_id = ${queues[0]!.organization} and kind = 'collection.created'`)
  assert.equal(events.length, 2)
})

test('any number of open deliveries ends, each once and with a number, and is listed with those that are open', async () => {
  const { end, emit, list, owner, organization } = await createQueue(2100)
  await end('cancelled')
  await emit(3)
  const rows = await list()
  assert.deepEqual(
    rows.slice(0, 3).map(({ state }) => state),
    ['pending', 'pending', 'pending'],
  )
  assert.deepEqual(
    rows
      .slice(3)
      .map(({ sequence }) => sequence)
      .toSorted((a, b) => a! - b!),
    Array.from({ length: 2100 }, (_, index) => index + 1),
  )
  const open = await owner.db.query(sql`select id from event_deliveries where organization_id = ${organization}`)
  assert.equal(open.length, 3)
  assert.equal((await list({ state: 'cancelled', limit: 20 })).length, 20)
  const second = rows[5]!
  const next = await list({ before: [second.created_at.toISOString(), second.id], limit: 4 })
  assert.deepEqual(next, rows.slice(6, 10))
})

test('a delivery of the log is open again after it is sent again, alone or in a period, and keeps its number', async () => {
  const { end, list, owner, organization, subscription, now } = await createQueue(5)
  await end('dead')
  const [first, ...others] = await list()
  const reschedule = () => owner.transaction((tx) => updateEventDeliverySchedule(tx, organization, first!.id, now))
  assert.deepEqual([await reschedule(), await reschedule()], [true, true])
  const again = (await list()).find(({ id }) => id === first!.id)
  assert.deepEqual(again, { ...first, state: 'pending', attempts: 0, next_at: now, finished_at: null })

  const window = { organization, subscription, since: shiftTime(now, -3_600_000), until: shiftTime(now, 3_600_000) }
  const replay = (include_delivered: boolean, limit: number) =>
    owner.transaction((tx) => updateScheduleOfEventDeliveriesInWindow(tx, { ...window, include_delivered, limit }, now))
  assert.equal(await replay(false, 3), 3)
  assert.equal(await replay(true, 3), 1)
  assert.equal(await replay(true, 3), 0)
  const rows = await list()
  assert.deepEqual(
    rows.map(({ id, sequence, state }) => [id, sequence, state]),
    [first!, ...others].map(({ id, sequence }) => [id, sequence, 'pending']),
  )
})

test('ended deliveries that the previous version left in the queue are moved to the log', async () => {
  const { list, owner, organization, now } = await createQueue(700)
  await owner.db.query(sql`
    update event_deliveries set state = 'succeeded', attempts = 2, sequence = 7, next_at = null, finished_at = ${now}
    where organization_id = ${organization}`)
  const rows = await list()
  assert.equal(rows.length, 700)
  await app.taskRunner.runTask(backgroundTaskTypes.sweepDeliveryLog)
  assert.deepEqual(
    await owner.db.query(sql`select id from event_deliveries where organization_id = ${organization}`),
    [],
  )
  assert.deepEqual(await list(), rows)
})

test('a delivery of a subscription that was deleted is not sent again', async () => {
  const { end, list, owner, organization, subscription, now } = await createQueue(1)
  await end('dead')
  const [delivery] = await list()
  await owner.db.query(sql`
    delete from event_subscriptions where organization_id = ${organization} and id = ${subscription}`)
  assert.equal(await owner.transaction((tx) => updateEventDeliverySchedule(tx, organization, delivery!.id, now)), false)
  assert.deepEqual(
    await owner.db.query(sql`select id from event_deliveries where organization_id = ${organization}`),
    [],
  )
})
