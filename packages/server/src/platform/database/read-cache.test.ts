import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabaseReadCache } from './read-cache.ts'

/** Reads that end when the test says so; `started` has one entry for each that has begun. */
function createControlledReads() {
  const time = { now_ms: 0 }
  const cache = createDatabaseReadCache<string>(() => time.now_ms)
  const started: PromiseWithResolvers<string | null>[] = []
  const load = (): Promise<string | null> => {
    const read = Promise.withResolvers<string | null>()
    started.push(read)
    return read.promise
  }
  return { time, started, cache, read: (organization: string, key = 'item') => cache.read(organization, key, load) }
}

test('simultaneous and later calls share one read for a second', async () => {
  const { time, started, read } = createControlledReads()
  const calls = [read('a'), read('a')]
  started[0]!.resolve('first')
  assert.deepEqual(await Promise.all(calls), ['first', 'first'])
  time.now_ms = 999
  assert.equal(await read('a'), 'first')
  time.now_ms = 1001
  const later = read('a')
  started[1]!.resolve('second')
  assert.equal(await later, 'second')
  assert.equal(started.length, 2)
})

test('a change of an organization invalidates its reads alone', async () => {
  const { started, cache, read } = createControlledReads()
  const calls = [read('a'), read('a', 'other item'), read('b')]
  for (const [index, { resolve }] of started.entries()) resolve(`read ${index}`)
  await Promise.all(calls)
  cache.invalidate('a')
  assert.equal(await read('b'), 'read 2')
  const again = [read('a'), read('a', 'other item')]
  assert.equal(started.length, 5)
  started[3]!.resolve('changed')
  started[4]!.resolve('changed too')
  assert.deepEqual(await Promise.all(again), ['changed', 'changed too'])
})

test('a read that began before a change is not found after it', async () => {
  const { started, cache, read } = createControlledReads()
  const before = read('a')
  cache.invalidate('a')
  const after = read('a')
  started[1]!.resolve('new')
  started[0]!.resolve('old')
  assert.deepEqual(await Promise.all([before, after]), ['old', 'new'])
  assert.equal(await read('a'), 'new')
})

test('null and errors go to those who wait and are not cached', async () => {
  const { started, read } = createControlledReads()
  const calls = [read('a'), read('a')]
  started[0]!.resolve(null)
  assert.deepEqual(await Promise.all(calls), [null, null])
  const failed = [read('a'), read('a')]
  started[1]!.reject(new Error('no connection'))
  for (const call of failed) await assert.rejects(call, /no connection/)
  const found = read('a')
  started[2]!.resolve('found')
  assert.equal(await found, 'found')
  assert.equal(started.length, 3)
})
