import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCoalescedReads } from './coalesced-reads.ts'

/** Reads that end when the test says so; `started` has one entry for each that has begun. */
function createControlledReads() {
  const reads = createCoalescedReads<string>()
  const started: PromiseWithResolvers<string>[] = []
  const load = (): Promise<string> => {
    const read = Promise.withResolvers<string>()
    started.push(read)
    return read.promise
  }
  return { started, read: (key: string) => reads.read(key, load) }
}

test('callers that come while a read runs share one read that starts after it', async () => {
  const { started, read } = createControlledReads()
  const first = read('a')
  const others = [read('a'), read('a'), read('a')]
  assert.equal(started.length, 1)
  started[0]!.resolve('before the change')
  assert.equal(await first, 'before the change')
  assert.equal(started.length, 2)
  started[1]!.resolve('after the change')
  assert.deepEqual(await Promise.all(others), Array(3).fill('after the change'))
  assert.equal(started.length, 2)
})

test('a caller that comes while the second read runs is not given its result', async () => {
  const { started, read } = createControlledReads()
  const first = read('a')
  const second = read('a')
  started[0]!.resolve('1')
  await first
  const third = read('a')
  started[1]!.resolve('2')
  assert.equal(await second, '2')
  started[2]!.resolve('3')
  assert.equal(await third, '3')
})

test('a result is not kept, and keys do not wait for each other', async () => {
  const { started, read } = createControlledReads()
  const [one, other] = [read('a'), read('b')]
  assert.equal(started.length, 2)
  started[1]!.resolve('b')
  assert.equal(await other, 'b')
  started[0]!.resolve('a')
  assert.equal(await one, 'a')
  const later = read('a')
  started[2]!.resolve('a, later')
  assert.equal(await later, 'a, later')
})

test('an error goes to those who share the read, and the next read starts anyway', async () => {
  const { started, read } = createControlledReads()
  const first = read('a')
  const others = [read('a'), read('a')]
  started[0]!.reject(new Error('the first'))
  await assert.rejects(first, /the first/)
  started[1]!.reject(new Error('the second'))
  for (const other of others) await assert.rejects(other, /the second/)
  const later = read('a')
  started[2]!.resolve('works again')
  assert.equal(await later, 'works again')
})
