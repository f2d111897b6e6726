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

test('a run that is due during another one can follow it at once', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const endRuns: (() => void)[] = []
  const work = (): Promise<void> => new Promise((resolve) => endRuns.push(resolve))
  const stop = runPeriodically(1000, work, assert.ifError, 'follow')
  context.mock.timers.tick(3000)
  assert.equal(endRuns.length, 1)
  endRuns[0]!()
  await settled()
  assert.equal(endRuns.length, 2, 'the runs that were due are one')
  endRuns[1]!()
  await settled()
  assert.equal(endRuns.length, 2)
  context.mock.timers.tick(2000)
  assert.equal(endRuns.length, 3)
  const stopping = stop()
  endRuns[2]!()
  await stopping
  assert.equal(endRuns.length, 3, 'none follows after the stop')
})
