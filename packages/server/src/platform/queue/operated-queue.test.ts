import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { openQueue } from './open-queue.ts'
import type { StuckTask, TaskQueue } from './queue.ts'

let database: Database
let queue: TaskQueue
before(async () => {
  database = await openTestDatabase()
  const task = { name: 'test.work', retry: { limit: 0, delay_s: 0, backoff: false, expire_s: 60 }, run: async () => {} }
  // Never started: no worker and no supervision changes a task.
  queue = await openQueue(database, [task], { poll_s: 60, concurrency: 1 })
})
after(async () => {
  await queue?.stop(0)
  await database?.close()
})

/** Adds a task and returns its id. */
async function addTask(organization_id: string): Promise<string> {
  const data = { organization_id }
  await database.forOrganization(organization_id).transaction((tx) => queue.enqueue(tx, { name: 'test.work' }, data))
  const [row] = await database.unscoped.query<{ id: string }>(sql`
    select id from boss.job where name = 'test.work' order by created_on desc, id desc limit 1`)
  return row!.id
}

const list = (id: string | null, organization: string | null = null): Promise<StuckTask[]> =>
  queue.stuck({ id, organization, min_failures: 3, min_age_ms: 600_000, limit: 10 })

const reasonOf = async (id: string): Promise<string | undefined> => (await list(id))[0]?.reason

test('a running task is stuck once its worker is silent, and then waits again', async () => {
  const id = await addTask(newId())
  await database.unscoped.query(sql`
    update boss.job set state = 'active', started_on = now(), heartbeat_on = now(), heartbeat_seconds = 60 where id = ${id}`)
  assert.equal(await reasonOf(id), undefined)
  assert.equal(await queue.requeue(id), false, 'its worker is alive')
  await database.unscoped.query(sql`
    update boss.job set heartbeat_on = now() - interval '1 hour', started_on = now() - interval '2 hours' where id = ${id}`)
  assert.equal(await reasonOf(id), 'lease-ended')
  assert.equal(await queue.requeue(id), true)
  assert.equal(await reasonOf(id), undefined)
  const [row] = await database.unscoped.query(sql`select state, retry_count from boss.job where id = ${id}`)
  assert.deepEqual(row, { state: 'created', retry_count: 0 })
})

test('a waiting task is stuck after repeated failures, or if no worker takes it', async () => {
  const organization = newId()
  const [failing, waiting] = [await addTask(organization), await addTask(newId())]
  await database.unscoped.query(sql`
    update boss.job set state = 'retry', retry_count = 3, start_after = now() + interval '1 day', output = '{"message": "broken"}'
    where id = ${failing}`)
  assert.deepEqual(
    (await list(failing)).map(({ reason, error }) => [reason, error]),
    [['failed-repeatedly', 'broken']],
  )
  assert.equal(await reasonOf(waiting), undefined)
  await database.unscoped.query(sql`
    update boss.job set start_after = now() - interval '1 hour' where id = ${waiting}`)
  assert.equal(await reasonOf(waiting), 'waiting')
  assert.deepEqual(
    (await list(null, organization)).map(({ id }) => id),
    [failing],
  )
  assert.equal(await queue.requeue(failing), true)
  const [row] = await database.unscoped.query(sql`
    select state, retry_count, start_after <= now() as due from boss.job where id = ${failing}`)
  assert.deepEqual(row, { state: 'retry', retry_count: 3, due: true })
})

test('a cancelled task is not stuck any more, and cannot be cancelled twice', async () => {
  const id = await addTask(newId())
  assert.equal(await queue.cancel(id), true)
  assert.equal(await queue.cancel(id), false)
  assert.equal(await queue.requeue(id), false)
})

test('a dead task is discarded once', async () => {
  const id = newId()
  await database.unscoped.query(sql`
    insert into boss.job (id, name, data, source_name) values (${id}, 'dead-letters', '{}', 'test.work')`)
  assert.equal(await queue.discard(id), true)
  assert.equal(await queue.discard(id), false)
  assert.deepEqual(await queue.dead(), [])
})
