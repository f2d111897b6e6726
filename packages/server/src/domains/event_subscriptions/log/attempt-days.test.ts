import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { openUploadServices, type UploadServices } from '../../../../test/upload-services.ts'
import { dropDays } from '../../../../test/events/event-days.ts'
import { skipOnCitus } from '../../../../test/citus/cluster.ts'
import { idOfDay, insertAttempt, listPartitions, partitionOfDay } from '../../../../test/events/attempt-days.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createLogPartitions, dropLogPartitions } from '../../../platform/database/partitions/log-partitions.ts'
import { listEventDeliveryAttempts } from '../store.deliveries.ts'

let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app?.close())

const defaultPartition = 'event_delivery_attempts_default'

test(
  'an attempt is in the partition of the day of its id, which today and the next days have',
  skipOnCitus('logs are not partitioned there'),
  async () => {
    const { owner, organization } = await app.createOrganization()
    await createLogPartitions(app.database.unscoped, 'event_delivery_attempts')
    const ids = [0, 1, 3].map(idOfDay)
    for (const id of ids) await insertAttempt(owner.db, organization, id)
    const partitions = await listPartitions(owner.db)
    assert.deepEqual(
      ids.map((id) => partitions.get(id)),
      [0, 1, 3].map(partitionOfDay),
    )
    assert.equal(await createLogPartitions(app.database.unscoped, 'event_delivery_attempts'), 0)
  },
)

test(
  'attempts of days without a partition are inserted, as after a stop of weeks, and moved to their days',
  skipOnCitus('logs are not partitioned there'),
  async () => {
    const { owner, organization } = await app.createOrganization()
    await app.database.runScript(dropDays('event_delivery_attempts'))
    const days = [-20, -1, 0, 0, 1, 40, 400_000]
    const ids = days.map(idOfDay)
    for (const id of ids) await insertAttempt(owner.db, organization, id)
    const before_move = await listPartitions(owner.db)
    assert.deepEqual(new Set(ids.map((id) => before_move.get(id))), new Set([defaultPartition]))
    await createLogPartitions(app.database.unscoped, 'event_delivery_attempts')
    const moved = await listPartitions(owner.db)
    assert.deepEqual(
      ids.map((id) => moved.get(id)),
      days.map((day) => (day > 3 ? defaultPartition : partitionOfDay(day))),
    )
  },
)

test('the attempts at a delivery are listed across days', async () => {
  const { owner, organization } = await app.createOrganization()
  const delivery = idOfDay(-30)
  const ids = [-30, -29, -1, 0].map(idOfDay)
  for (const id of ids) await insertAttempt(owner.db, organization, id, delivery)
  await insertAttempt(owner.db, organization, idOfDay(0))
  const listed = await listEventDeliveryAttempts(owner.db, organization, delivery)
  assert.deepEqual(listed.map(({ id }) => id).toSorted(), ids.toSorted())
})

test('the sweep drops the days whose retention in the log has ended, and nothing else', async () => {
  const { owner, organization } = await app.createOrganization()
  const days = [-limits.delivery_log_days - 30, -limits.delivery_log_days - 1, -limits.delivery_log_days, -1, 0, 40]
  const ids = days.map(idOfDay)
  for (const id of ids) await insertAttempt(owner.db, organization, id)
  await app.taskRunner.runTask(backgroundTaskTypes.sweepDeliveryLog)
  const rows = await owner.db.query<{ id: string }>(
    sql`select id from event_delivery_attempts where organization_id = ${organization} order by id`,
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    ids.slice(2),
  )
  await assert.rejects(dropLogPartitions(app.database.unscoped, 'event_delivery_attempts', 0), /not over/)
})

test(
  'no role of the service reads or drops a partition directly, and through the table only its own organization',
  skipOnCitus('logs are not partitioned there'),
  async () => {
    const { owner, organization } = await app.createOrganization()
    const other = await app.createOrganization()
    await createLogPartitions(app.database.unscoped, 'event_delivery_attempts')
    await insertAttempt(owner.db, organization, idOfDay(0))
    const partition = partitionOfDay(0)
    for (const name of [partition, defaultPartition])
      for (const db of [owner.db, other.owner.db, app.database.unscoped]) {
        const table = sql.identifier(name, [name])
        await assert.rejects(db.query(sql`select id from ${table}`), /permission denied/)
        await assert.rejects(db.query(sql`insert into ${table} (id) values (${idOfDay(0)})`), /permission denied/)
        await assert.rejects(db.query(sql`drop table ${table}`), /must be owner/)
      }
    const count = async (db: typeof owner.db): Promise<number> =>
      (await db.query(sql`select from event_delivery_attempts where organization_id = ${organization}`)).length
    assert.deepEqual([await count(owner.db), await count(other.owner.db)], [1, 0])
    await assert.rejects(owner.db.query(sql`select swath_drop_days('event_delivery_attempts', 1)`), /permission denied/)
  },
)
