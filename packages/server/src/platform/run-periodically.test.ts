import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runPeriodically } from './run-periodically.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('work is repeated without overlap, and a failure does not stop it', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const settleRuns: ((error?: Error) => void)[] = []
  const errors: unknown[] = []
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => settleRuns.push((error) => (error ? reject(error) : resolve())))
  const stop = runPeriodically(1000, work, (error) => errors.push(error))
  context.mock.timers.tick(999)
  assert.equal(settleRuns.length, 0)
  context.mock.timers.tick(3001)
  assert.equal(settleRuns.length, 1)
  const failure = new Error('no')
  settleRuns[0]!(failure)
  await settled()
  assert.deepEqual(errors, [failure])
  context.mock.timers.tick(1000)
  assert.equal(settleRuns.length, 2)
  let stopped = false
  const stopping = stop().then(() => (stopped = true))
  await settled()
  assert.equal(stopped, false)
  settleRuns[1]!()
  await stopping
  context.mock.timers.tick(10_000)
  assert.equal(settleRuns.length, 2)
})
