import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { openQueue } from './open-queue.ts'
import type { TaskQueue } from './queue.ts'
import { createQueueGauges } from './queue-gauges.ts'

let database: Database
let queue: TaskQueue
before(async () => {
  database = await openTestDatabase()
  const task = { name: 'test.work', retry: { limit: 0, delay_s: 0, backoff: false, expire_s: 60 }, run: async () => {} }
  queue = await openQueue(database, [task], { poll_s: 60, concurrency: 1 })
})
after(async () => {
  await queue?.stop(0)
  await database?.close()
})

test('tasks are counted by state, with the time since the oldest is due', async () => {
  const enqueue = (delay_ms: number): Promise<void> =>
    database
      .forOrganization(newId())
      .transaction((tx) => queue.enqueue(tx, { name: 'test.work' }, {}, delay_ms > 0 ? { delay_ms } : {}))
  for (const delay_ms of [0, 0, 0, 3_600_000]) await enqueue(delay_ms)
  const [first] = await database.unscoped.query<{ id: string }>(sql`
    select id from boss.job where name = 'test.work' and start_after <= now() order by id limit 1`)
  await database.unscoped.query(sql`
    update boss.job set start_after = now() - interval '2 hours' where name = 'test.work' and id = ${first!.id}`)
  const values = await createQueueGauges(database).read()
  const byState = new Map(values['swath_queue_tasks']!.map(({ labels, value }) => [labels['state'], value]))
  assert.deepEqual([byState.get('waiting'), byState.get('scheduled'), byState.get('running')], [3, 1, undefined])
  const [oldest, ...others] = values['swath_queue_oldest_seconds']!
  assert.deepEqual([oldest!.labels, others], [{ task: 'test.work' }, []])
  assert.ok(oldest!.value >= 7200 && oldest!.value < 7300, String(oldest!.value))
  assert.deepEqual(values['swath_queue_dead_tasks'], [])
})
