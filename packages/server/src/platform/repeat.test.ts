import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeat } from './repeat.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('work is repeated without overlap, and a failure does not stop it', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const ends: ((error?: Error) => void)[] = []
  const faults: unknown[] = []
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())))
  const stop = repeat(1000, work, (error) => faults.push(error))
  context.mock.timers.tick(999)
  assert.equal(ends.length, 0)
  context.mock.timers.tick(3001)
  assert.equal(ends.length, 1)
  const fault = new Error('no')
  ends[0]!(fault)
  await settled()
  assert.deepEqual(faults, [fault])
  context.mock.timers.tick(1000)
  assert.equal(ends.length, 2)
  let stopped = false
  const stopping = stop().then(() => (stopped = true))
  await settled()
  assert.equal(stopped, false)
  ends[1]!()
  await stopping
  context.mock.timers.tick(10_000)
  assert.equal(ends.length, 2)
})
