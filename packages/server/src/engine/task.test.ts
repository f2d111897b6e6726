import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { manualClock } from '../platform/clock.ts'
import { actorOf, task, type Job } from './task.ts'

const retry = { limit: 1, delay_s: 1, backoff: false, expire_s: 10 }
const job = {
  id: 'job',
  task: 'test.work',
  principal: { kind: 'service' },
  clock: manualClock(new Date(0)),
  queue: {},
  seller: {},
  quotas: {},
} as unknown as Job

test('a task runs with data that matches its schema and rejects other data', async () => {
  const seen: unknown[] = []
  const work = task('test.work', Type.Object({ id: Type.String() }), retry, async (_job, data) => {
    seen.push(data.id)
  })
  assert.deepEqual([work.name, work.retry], ['test.work', retry])
  await work.run(job, { id: 'a' })
  for (const data of [{}, { id: 5 }, null, 'a']) await assert.rejects(work.run(job, data), /does not match its schema/)
  assert.deepEqual(seen, ['a'])
})

test('taskActor is the service principal in the organization, with the ids of the task run', () => {
  const { clock, ...actor } = actorOf(job, 'somewhere')
  assert.equal(clock.organization, 'somewhere')
  assert.deepEqual(actor, {
    organization: 'somewhere',
    principal: job.principal,
    operation: 'test.work',
    requestId: 'job',
    queue: job.queue,
    seller: job.seller,
    quotas: job.quotas,
  })
})
