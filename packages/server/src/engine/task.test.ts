import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { createManualClock } from '../platform/clock.ts'
import { createTaskActor, defineTask, type TaskContext } from './task.ts'

const retry = { limit: 1, delay_s: 1, backoff: false, expire_s: 10 }
const context = {
  id: 'job',
  taskName: 'test.work',
  principal: { kind: 'service' },
  clock: createManualClock(new Date(0)),
  queue: {},
  seller: {},
  quotas: {},
} as unknown as TaskContext

test('a task runs with data that matches its schema and rejects other data', async () => {
  const seen: unknown[] = []
  const definedTask = defineTask(
    { name: 'test.work', schema: Type.Object({ id: Type.String() }) },
    retry,
    async (_job, data) => {
      seen.push(data.id)
    },
  )
  assert.deepEqual([definedTask.name, definedTask.retry], ['test.work', retry])
  await definedTask.run(context, { id: 'a' })
  for (const data of [{}, { id: 5 }, null, 'a'])
    await assert.rejects(definedTask.run(context, data), /does not match its schema/)
  assert.deepEqual(seen, ['a'])
})

test('createTaskActor is the service principal in the organization, with the ids of the task run', () => {
  const { clock, ...actor } = createTaskActor(context, 'somewhere')
  assert.equal(clock.organization, 'somewhere')
  assert.deepEqual(actor, {
    organization: 'somewhere',
    principal: context.principal,
    operation: 'test.work',
    requestId: 'job',
    queue: context.queue,
    seller: context.seller,
    quotas: context.quotas,
  })
})
