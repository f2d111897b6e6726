import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { idOfDay } from '../../../../test/events/attempt-days.ts'
import { insertEventRow } from '../../../../test/events/event-days.ts'
import { openUploadServices, type UploadServices } from '../../../../test/upload-services.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { createLogPartitions, logsPartitionedByDay } from '../../../platform/database/partitions/log-partitions.ts'
import { getSchemaOwnerConnection } from '../../../platform/database/raw.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app?.close())

const [dropped_day, kept_day] = [-limits.event_days - 1, -limits.event_days]

/** The privileges of the roles of the service on a table and its columns, and the definitions of its indexes. */
async function describeTable(table: string): Promise<{ grants: string[]; indexes: string[] }> {
  const owner = getSchemaOwnerConnection(app.database)
  const grants = await owner.query<{ text: string }>(sql`
    select concat_ws(' ', grantee, privilege_type, column_name) as text from information_schema.column_privileges
    where table_name = ${table} and grantee in ('swath_app', 'swath_across')
    union
    select concat_ws(' ', grantee, privilege_type) from information_schema.table_privileges
    where table_name = ${table} and grantee in ('swath_app', 'swath_across')
    order by 1`)
  const indexes = await owner.query<{ text: string }>(
    sql`select replace(indexdef, ' ON ONLY ', ' ON ') as text from pg_indexes where tablename = ${table} order by indexname`,
  )
  return { grants: grants.map(({ text }) => text), indexes: indexes.map(({ text }) => text) }
}

test('a log that becomes one table keeps rows, indexes and privileges, and its days are deleted with what is kept of them', async () => {
  const { owner, organization } = await app.createOrganization()
  const other = await app.createOrganization()
  const ids = [dropped_day, kept_day, 0].map(idOfDay)
  for (const id of ids) await insertEventRow(owner.db, organization, { id })

  for (const log of logsPartitionedByDay) {
    const before_join = await describeTable(log)
    await app.database.runScript(`select swath_join_days('${log}')`)
    const { grants, indexes } = await describeTable(log)
    assert.deepEqual(
      grants.filter((grant) => !before_join.grants.includes(grant)),
      before_join.grants.includes('swath_across DELETE') ? [] : ['swath_across DELETE'],
    )
    assert.deepEqual(
      before_join.grants.filter((grant) => !grants.includes(grant)),
      [],
    )
    assert.deepEqual(
      indexes.filter((index) => !/_age ON /.test(index)),
      before_join.indexes.filter((index) => !/_age ON /.test(index)),
    )
    assert.equal(await createLogPartitions(app.database.unscoped, log), 0)
  }

  const listIds = async () =>
    (await owner.db.query<{ id: string }>(sql`select id from events order by id`)).map(({ id }) => id)
  assert.deepEqual(
    (await listIds()).filter((id) => ids.includes(id)),
    ids,
  )
  assert.deepEqual(await other.owner.db.query(sql`select id from events where organization_id = ${organization}`), [])
  await assert.rejects(owner.db.query(sql`delete from events where id = ${ids[0]}`), /permission denied/)

  await app.taskRunner.runTask(backgroundTaskTypes.sweepEventDays)
  assert.deepEqual(
    (await listIds()).filter((id) => ids.includes(id)),
    ids.slice(1),
  )
  const [kept] = await owner.db.query<{ count: number }>(
    sql`select sum(count)::integer as count from event_counts where organization_id = ${organization}`,
  )
  assert.equal(kept!.count, 1)
  // Joined already: nothing to do.
  await app.database.runScript(`select swath_join_days('events')`)
})
