import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import { createCountingSource } from './counting.ts'
import { openLocalFileSource } from './local-file.ts'
import { createMemorySource } from './memory.ts'

const overBudget = (error: unknown) => error instanceof RasterFailure && error.kind === 'budget'

test('reads and bytes are counted, those without waiting too', async () => {
  const counted = createCountingSource(createMemorySource(new Uint8Array(100), 'memory'))
  await counted.read(0, 10)
  await counted.read(95, 10)
  assert.deepEqual(counted.count, { reads: 2, bytes: 15 })
  assert.equal(counted.readSync, undefined)
  const local = createCountingSource(openLocalFileSource(import.meta.filename, 'here', undefined, undefined))
  assert.equal(local.path, import.meta.filename)
  assert.equal(local.readSync!(0, new Uint8Array(20)), 20)
  assert.deepEqual(local.count, { reads: 1, bytes: 20 })
})

test('an exceeded budget is a named failure before anything is requested', async () => {
  const under = createCountingSource(createMemorySource(new Uint8Array(100), 'memory'))
  const byReads = createCountingSource(under, { reads: 2 })
  await byReads.read(0, 1)
  await byReads.read(0, 1)
  await assert.rejects(byReads.read(0, 1), overBudget)
  const byBytes = createCountingSource(under, { bytes: 50 })
  await byBytes.read(0, 50)
  await assert.rejects(byBytes.read(0, 1), overBudget)
  assert.equal(under.count.reads, 3)
})

test('a size that a source learns later is seen through the counting source', () => {
  const learning = { ...createMemorySource(new Uint8Array(1), 'a'), size: undefined as number | undefined }
  const counted = createCountingSource(learning)
  assert.equal(counted.size, undefined)
  learning.size = 7
  assert.equal(counted.size, 7)
})
